package dev.caldera.spark.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Keeps docs/configuration.md as the entries say. To write it anew:
 *
 * <pre>
 * mvn test -pl connector -am -Dtest=ConfigReferenceTest \
 *   -Dsurefire.failIfNoSpecifiedTests=false -Dcaldera.docs.write=true
 * </pre>
 */
class ConfigReferenceTest {
  private static final Path PAGE = Path.of("../docs/configuration.md");

  @Test
  void thePageIsWhatTheEntriesSay() throws IOException {
    if (Boolean.getBoolean("caldera.docs.write")) {
      Files.writeString(PAGE, ConfigReference.page());
    }
    assertThat(PAGE)
        .as(
            "docs/configuration.md is stale; write it anew: mvn test -pl connector -am"
                + " -Dtest=ConfigReferenceTest -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dcaldera.docs.write=true")
        .content()
        .isEqualTo(ConfigReference.page());
  }

  @Test
  void thePageNamesEveryEntry() {
    for (ConfigEntry<?> entry : ConfigEntries.ALL) {
      assertThat(ConfigReference.page()).contains("| `" + entry.key() + "` | `");
    }
    assertThat(ConfigReference.page()).contains("`spark.caldera.model.<name>.uri`");
  }
}
