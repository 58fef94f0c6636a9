package dev.caldera.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.caldera.spark",
    importOptions = ImportOption.DoNotIncludeTests.class)
class LayeringTest {
  @ArchTest
  static final ArchRule NO_LWJGL =
      noClasses().should().dependOnClassesThat().resideInAnyPackage("org.lwjgl..");

  @ArchTest
  static final ArchRule NO_KERNELS =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.caldera.backend.cpu..",
              "dev.caldera.backend.vulkan..",
              "dev.caldera.plan..",
              "dev.caldera.graph..",
              "dev.caldera.rewrite..");

  @ArchTest
  static final ArchRule NO_DATASET_IMPLEMENTATION =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.spark.sql.classic..");

  @ArchTest
  static final ArchRule DOWNWARDS =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("sql")
          .definedBy("dev.caldera.spark.sql..")
          .layer("task")
          .definedBy("dev.caldera.spark.task..")
          .layer("executor")
          .definedBy("dev.caldera.spark.executor..")
          .layer("config")
          .definedBy("dev.caldera.spark.config..")
          .whereLayer("sql")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("task")
          .mayOnlyBeAccessedByLayers("sql")
          .whereLayer("executor")
          .mayOnlyBeAccessedByLayers("sql", "task")
          .whereLayer("config")
          .mayOnlyBeAccessedByLayers("sql", "executor");
}
