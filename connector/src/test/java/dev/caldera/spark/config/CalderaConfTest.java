package dev.caldera.spark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CalderaConfTest {
  private static CalderaConf conf(String... keysAndValues) {
    Map<String, String> settings = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      settings.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return CalderaConf.of(settings);
  }

  @Test
  void everyDefault() {
    CalderaConf conf = conf();
    assertThat(conf.value(ConfigEntries.DEVICE)).isEqualTo("auto");
    assertThat(conf.value(ConfigEntries.THREADS)).isZero();
    assertThat(conf.value(ConfigEntries.BATCH_TOKENS)).isZero();
    assertThat(conf.value(ConfigEntries.WEIGHT_BYTES)).isZero();
    assertThat(conf.value(ConfigEntries.CACHE_DIRECTORY)).isEqualTo("{tmp}/caldera-{user}");
    assertThat(conf.value(ConfigEntries.BATCH_ROWS)).isEqualTo(512);
    assertThat(conf.value(ConfigEntries.BATCH_BYTES)).isEqualTo(8L << 20);
    assertThat(conf.models()).isEmpty();
    assertThat(ConfigEntries.ALL)
        .as("every entry has its default pinned above")
        .extracting(ConfigEntry::key)
        .isEqualTo(
            List.of(
                "spark.caldera.device",
                "spark.caldera.threads",
                "spark.caldera.batch.tokens",
                "spark.caldera.weights.bytes",
                "spark.caldera.cache.dir",
                "spark.caldera.batch.rows",
                "spark.caldera.batch.bytes"));
  }

  @Test
  void valuesAreRead() {
    CalderaConf conf =
        conf(
            "spark.caldera.device", " vulkan:NVIDIA H200 ",
            "spark.caldera.batch.rows", "7",
            "spark.caldera.batch.bytes", "64k",
            "spark.caldera.weights.bytes", "3g",
            "spark.caldera.cache.dir", "/cache/{user}",
            "spark.caldera.model.bge.small-v1_5.uri", "hdfs://models/bge",
            "spark.executor.memory", "1g");
    assertThat(conf.value(ConfigEntries.DEVICE)).isEqualTo("vulkan:NVIDIA H200");
    assertThat(conf.value(ConfigEntries.BATCH_ROWS)).isEqualTo(7);
    assertThat(conf.value(ConfigEntries.BATCH_BYTES)).isEqualTo(65_536);
    assertThat(conf.value(ConfigEntries.WEIGHT_BYTES)).isEqualTo(3L << 30);
    assertThat(conf.cacheDirectory()).isEqualTo(Path.of("/cache", System.getProperty("user.name")));
    assertThat(conf.models()).isEqualTo(Map.of("bge.small-v1_5", "hdfs://models/bge"));
  }

  @Test
  void anUnknownKeyIsAnErrorThatSuggestsTheNearest() {
    assertThatThrownBy(() -> conf("spark.caldera.devise", "cpu"))
        .hasMessage(
            "Cannot use the setting spark.caldera.devise: Caldera has none of that name."
                + " Did you mean 'spark.caldera.device'?");
    assertThatThrownBy(() -> conf("spark.caldera.model.minilm.url", "/models"))
        .hasMessage(
            "Cannot use the setting spark.caldera.model.minilm.url: the settings of a model are"
                + " spark.caldera.model.<name>.uri");
    assertThatThrownBy(() -> conf("spark.caldera.something.else.entirely", "1"))
        .hasMessage(
            "Cannot use the setting spark.caldera.something.else.entirely: Caldera has none of that"
                + " name.");
  }

  @Test
  void aWrongValueIsAnErrorThatSaysWhatWouldBeRight() {
    assertThatThrownBy(() -> conf("spark.caldera.device", "gpu0"))
        .hasMessage(
            "Cannot use spark.caldera.device = 'gpu0': it must be auto, cpu, vulkan, or"
                + " vulkan:<UUID, PCI address or part of the device's name>");
    assertThatThrownBy(() -> conf("spark.caldera.batch.rows", "0"))
        .hasMessage(
            "Cannot use spark.caldera.batch.rows = '0': it must be a whole number of at least 1");
    assertThatThrownBy(() -> conf("spark.caldera.threads", "two"))
        .hasMessage(
            "Cannot use spark.caldera.threads = 'two': it must be a whole number of at least 0");
    assertThatThrownBy(() -> conf("spark.caldera.batch.bytes", "8 megs"))
        .hasMessage(
            "Cannot use spark.caldera.batch.bytes = '8 megs': it must be a size of at least 1"
                + " bytes, such as 8388608, 8192k or 8m");
    assertThatThrownBy(() -> conf("spark.caldera.weights.bytes", "999999999999999t"))
        .hasMessageContaining("Cannot use spark.caldera.weights.bytes = '999999999999999t'");
  }

  @Test
  void whatIsReadAtStartCannotChangeInASession() {
    CalderaConf started = conf("spark.caldera.device", "cpu");
    conf("spark.caldera.device", "cpu", "spark.caldera.batch.rows", "9").checkUnchanged(started);
    assertThatThrownBy(() -> conf("spark.caldera.device", "vulkan").checkUnchanged(started))
        .hasMessage(
            "Cannot change spark.caldera.device from 'cpu' to 'vulkan' in a session: it is read"
                + " when Spark starts, set it there");
  }
}
