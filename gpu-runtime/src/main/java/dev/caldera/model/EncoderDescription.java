package dev.caldera.model;

import dev.caldera.graph.Op.Pooling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What the small files of an encoder's folder say, without its weights. What no file says is empty:
 * it is never guessed.
 *
 * <table>
 * <caption>Where it stands</caption>
 * <tr><td>pooling, width</td><td>{@code config.json} in the pooling module's folder, which {@code
 *     modules.json} names (else {@code 1_Pooling})</td></tr>
 * <tr><td>normalisation</td><td>{@code modules.json}: whether it has a Normalize module</td></tr>
 * <tr><td>most tokens</td><td>{@code max_seq_length} of {@code sentence_bert_config.json}, else, for
 *     a BERT, {@code max_position_embeddings} of {@code config.json}</td></tr>
 * <tr><td>width</td><td>also {@code hidden_size} of {@code config.json}</td></tr>
 * </table>
 *
 * @param model the folder, for messages
 * @param pooling how the vectors of a text's tokens become one
 * @param normalize whether vectors are scaled to length 1
 * @param maxTokens the most tokens of a text
 * @param width columns of a vector
 */
public record EncoderDescription(
    String model,
    Optional<Pooling> pooling,
    Optional<Boolean> normalize,
    OptionalInt maxTokens,
    OptionalInt width) {

  /** Models whose position table has a row for each position and no others. */
  private static final Set<String> PLAIN_POSITIONS = Set.of("bert", "distilbert");

  /**
   * Reads the description.
   *
   * @throws IllegalArgumentException if the folder does not exist, a file is not valid, or it asks
   *     for what is not supported; names file and field
   */
  public static EncoderDescription read(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "Cannot open model " + folder + ": there is no such folder");
    }
    Optional<ConfigFile> modules = ConfigFile.readIfPresent(folder.resolve("modules.json"));
    Map<String, String> paths = modules.map(m -> modulePaths(folder, m)).orElse(Map.of());
    Optional<ConfigFile> pooling =
        paths.containsKey("Pooling")
            ? Optional.of(ConfigFile.read(inside(folder, paths.get("Pooling"), "config.json")))
            : ConfigFile.readIfPresent(folder.resolve("1_Pooling/config.json"));
    String transformer = paths.getOrDefault("Transformer", "");
    Optional<ConfigFile> limits =
        ConfigFile.readIfPresent(inside(folder, transformer, "sentence_bert_config.json"));
    Optional<ConfigFile> config =
        ConfigFile.readIfPresent(inside(folder, transformer, "config.json"));
    return new EncoderDescription(
        folder.toString(),
        pooling.map(EncoderDescription::poolingOf),
        modules.map(m -> paths.containsKey("Normalize")),
        first(count(limits, "max_seq_length"), config.map(EncoderDescription::positions)),
        first(count(pooling, "word_embedding_dimension"), config.map(c -> c.count("hidden_size"))));
  }

  /** Folder of each module, by its kind. */
  private static Map<String, String> modulePaths(Path folder, ConfigFile modules) {
    Map<String, String> paths = new LinkedHashMap<>();
    for (ConfigFile module : modules.members()) {
      String type =
          module
              .text("type")
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "Cannot read " + modules + ": a type is missing"));
      String kind = type.substring(type.lastIndexOf('.') + 1);
      if (!Set.of("Transformer", "Pooling", "Normalize").contains(kind)) {
        throw new IllegalArgumentException(
            "Cannot use model "
                + folder
                + ": its modules.json has a module "
                + type
                + "; only Transformer, Pooling and Normalize are supported");
      }
      paths.put(kind, module.text("path").orElse(""));
    }
    return paths;
  }

  private static Path inside(Path folder, String subfolder, String file) {
    Path path = folder.resolve(subfolder).resolve(file).normalize();
    if (!path.startsWith(folder.normalize())) {
      throw new IllegalArgumentException(
          "Cannot use module path " + subfolder + " of " + folder + ": it leads out of the folder");
    }
    return path;
  }

  private static Pooling poolingOf(ConfigFile config) {
    Map<String, Pooling> known = new LinkedHashMap<>();
    known.put("mean", Pooling.MEAN);
    known.put("mean_tokens", Pooling.MEAN);
    known.put("cls", Pooling.CLS);
    known.put("cls_token", Pooling.CLS);
    known.put("max", Pooling.MAX);
    known.put("max_tokens", Pooling.MAX);
    known.put("lasttoken", Pooling.LAST);
    List<String> chosen = new ArrayList<>();
    config.text("pooling_mode").ifPresent(chosen::add);
    for (String mode :
        List.of(
            "cls_token",
            "mean_tokens",
            "max_tokens",
            "mean_sqrt_len_tokens",
            "weightedmean_tokens",
            "lasttoken")) {
      if (config.flag("pooling_mode_" + mode)) {
        chosen.add(mode);
      }
    }
    Pooling pooling = chosen.size() == 1 ? known.get(chosen.get(0)) : null;
    if (pooling == null) {
      throw new IllegalArgumentException(
          "Cannot use pooling "
              + chosen
              + " of "
              + config
              + ": exactly one of mean_tokens, cls_token, max_tokens and lasttoken is supported");
    }
    return pooling;
  }

  private static OptionalInt positions(ConfigFile config) {
    boolean plain = config.text("model_type").filter(PLAIN_POSITIONS::contains).isPresent();
    return plain ? config.count("max_position_embeddings") : OptionalInt.empty();
  }

  private static OptionalInt count(Optional<ConfigFile> file, String field) {
    return file.map(f -> f.count(field)).orElse(OptionalInt.empty());
  }

  private static OptionalInt first(OptionalInt wanted, Optional<OptionalInt> otherwise) {
    return wanted.isPresent() ? wanted : otherwise.orElse(OptionalInt.empty());
  }
}
