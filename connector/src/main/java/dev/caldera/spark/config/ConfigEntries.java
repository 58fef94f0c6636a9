package dev.caldera.spark.config;

import dev.caldera.spark.config.ConfigEntry.Scope;
import java.util.List;

/** All settings of Caldera, in the order of the reference page. */
public final class ConfigEntries {

  /** Which device computes. */
  public static final ConfigEntry<String> DEVICE =
      new ConfigEntry<>(
          CalderaConf.PREFIX + "device",
          Scope.EXECUTOR,
          "The device that computes. `auto` takes the first usable hardware Vulkan device, else the"
              + " CPU with a warning that says why. `cpu` takes the CPU. `vulkan` takes a hardware"
              + " Vulkan device or fails. `vulkan:<UUID, PCI address or part of the name>` takes"
              + " that device, also one that is emulated in software, or fails.",
          "auto",
          Parsers::device);

  /** Threads of the CPU backend. */
  public static final ConfigEntry<Integer> THREADS =
      new ConfigEntry<>(
          CalderaConf.PREFIX + "threads",
          Scope.EXECUTOR,
          "Threads of the CPU backend in an executor; `0` takes one a processor core.",
          "0",
          text -> Parsers.number(text, 0));

  /** Tokens of a device batch. */
  public static final ConfigEntry<Integer> BATCH_TOKENS =
      new ConfigEntry<>(
          CalderaConf.PREFIX + "batch.tokens",
          Scope.EXECUTOR,
          "Tokens that run on the device together, packed from the texts of all waiting tasks. `0`"
              + " takes what suits the device.",
          "0",
          text -> Parsers.number(text, 0));

  /** Bytes of weights on the device. */
  public static final ConfigEntry<Long> WEIGHT_BYTES =
      new ConfigEntry<>(
          CalderaConf.PREFIX + "weights.bytes",
          Scope.EXECUTOR,
          "Bytes of model weights that may lie on the device, all models together; models that"
              + " nobody uses leave it when room is needed. `0` takes what suits the device.",
          "0",
          text -> Parsers.bytes(text, 0));

  /** Where models are kept on an executor's disk. */
  public static final ConfigEntry<String> CACHE_DIRECTORY =
      new ConfigEntry<>(
          CalderaConf.PREFIX + "cache.dir",
          Scope.EXECUTOR,
          "Folder on each executor's own disk for copies of models and for compiled pipelines. It"
              + " is shared by executors of a machine and outlives them. `{tmp}` stands for the"
              + " JVM's folder for temporary files and `{user}` for the user's name.",
          "{tmp}/caldera-{user}",
          Parsers::text);

  /** Rows of a request. */
  public static final ConfigEntry<Integer> BATCH_ROWS =
      new ConfigEntry<>(
          CalderaConf.PREFIX + "batch.rows",
          Scope.QUERY,
          "Rows that a task hands to the engine at a time, at most. A task holds two such batches.",
          "512",
          text -> Parsers.number(text, 1));

  /** Bytes of the rows of a request. */
  public static final ConfigEntry<Long> BATCH_BYTES =
      new ConfigEntry<>(
          CalderaConf.PREFIX + "batch.bytes",
          Scope.QUERY,
          "Bytes of rows that a task hands to the engine at a time; a batch ends with the row that"
              + " reaches it.",
          "8m",
          text -> Parsers.bytes(text, 1));

  /** All entries with a fixed key. */
  public static final List<ConfigEntry<?>> ALL =
      List.of(
          DEVICE, THREADS, BATCH_TOKENS, WEIGHT_BYTES, CACHE_DIRECTORY, BATCH_ROWS, BATCH_BYTES);

  private ConfigEntries() {}
}
