package dev.caldera.engine;

import dev.caldera.graph.Op.Pooling;
import dev.caldera.model.EncoderDescription;

/**
 * How an encoder runs: what the user's options say, else what the model's files say.
 *
 * @param pooling how the vectors of a text's tokens become one
 * @param normalize whether vectors are scaled to length 1
 * @param maxTokens the most tokens of a text, special tokens counted
 */
public record EncoderSettings(Pooling pooling, boolean normalize, int maxTokens) {

  /**
   * Settles what holds. Needs no weights, so that a wrong option is found before any job starts.
   *
   * @throws IllegalArgumentException if neither says; names model and option
   */
  public static EncoderSettings resolve(EncoderDescription model, EncoderOptions options) {
    Pooling pooling =
        options
            .pooling()
            .or(model::pooling)
            .orElseThrow(
                () ->
                    unknown(
                        model,
                        "pooling",
                        "1_Pooling/config.json",
                        EncoderOptions.POOLING,
                        "'mean'"));
    boolean normalize =
        options
            .normalize()
            .or(model::normalize)
            .orElseThrow(
                () ->
                    unknown(
                        model,
                        "normalisation",
                        "modules.json",
                        EncoderOptions.NORMALIZE,
                        "'true'"));
    int maxTokens =
        options
            .maxTokens()
            .orElseGet(
                () ->
                    model
                        .maxTokens()
                        .orElseThrow(
                            () ->
                                unknown(
                                    model,
                                    "maximum length",
                                    "sentence_bert_config.json or config.json",
                                    EncoderOptions.MAX_TOKENS,
                                    "'512'")));
    return new EncoderSettings(pooling, normalize, maxTokens);
  }

  private static IllegalArgumentException unknown(
      EncoderDescription model, String what, String files, String option, String example) {
    return new IllegalArgumentException(
        "Cannot use model "
            + model.model()
            + ": its "
            + what
            + " is not known from "
            + files
            + "; give it as an option, for example "
            + option
            + " => "
            + example);
  }
}
