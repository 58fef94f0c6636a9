package dev.caldera;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;

/** The layers of ARCHITECTURE.md: who may depend on whom. */
@AnalyzeClasses(packages = "dev.caldera", importOptions = ImportOption.DoNotIncludeTests.class)
class LayeringTest {

  @ArchTest
  static final ArchRule onlyTheVulkanBackendTouchesVulkan =
      noClasses()
          .that(not(resideInAnyPackage("dev.caldera.backend.vulkan..", "dev.caldera.shaders..")))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.lwjgl.vulkan..", "dev.caldera.shaders..")
          .because("other backends and machines without Vulkan must do without it");

  @ArchTest
  static final ArchRule noSparkHere =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.spark..", "org.apache.hadoop..", "scala..")
          .because("the runtime serves any host program");

  @ArchTest static final ArchRule graphStandsAlone = mayDependOn("graph");

  @ArchTest static final ArchRule textStandsAlone = mayDependOn("text");

  @ArchTest static final ArchRule rewriteKnowsGraphs = mayDependOn("rewrite", "graph");

  @ArchTest static final ArchRule planKnowsGraphs = mayDependOn("plan", "graph");

  @ArchTest static final ArchRule memoryKnowsPlans = mayDependOn("memory", "plan", "graph");

  @ArchTest static final ArchRule modelKnowsGraphs = mayDependOn("model", "graph", "rewrite");

  @ArchTest
  static final ArchRule backendKnowsMemory = mayDependOn("backend", "memory", "plan", "graph");

  @ArchTest
  static final ArchRule backendsDoNotKnowEachOther =
      slices()
          .matching("dev.caldera.backend.(*)..")
          .should()
          .notDependOnEachOther()
          .because("each backend must work where the other is absent");

  @ArchTest
  static final ArchRule whatBackendsShareKnowsNoBackend =
      noClasses()
          .that()
          .resideInAPackage("dev.caldera.backend")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.caldera.backend.cpu..", "dev.caldera.backend.vulkan..")
          .because("backends are found by the service loader");

  @ArchTest
  static final ArchRule noCycles = slices().matching("dev.caldera.(*)..").should().beFreeOfCycles();

  /** Classes of a layer depend on the given layers and on nothing else of this project. */
  private static ArchRule mayDependOn(String layer, String... others) {
    String[] allowed =
        Stream.concat(Stream.of(layer), Stream.of(others))
            .map(name -> "dev.caldera." + name + "..")
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage("dev.caldera." + layer + "..")
        .should()
        .onlyDependOnClassesThat(
            not(resideInAPackage("dev.caldera.."))
                .or(resideInAnyPackage(allowed))
                .or(resideInAPackage("dev.caldera.shaders..")));
  }
}
