package dev.caldera.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.Op.Pooling;
import dev.caldera.model.EncoderDescription;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class EncoderOptionsTest {
  private static final EncoderDescription SILENT =
      new EncoderDescription(
          "/models/x",
          Optional.empty(),
          Optional.empty(),
          OptionalInt.empty(),
          OptionalInt.empty());
  private static final EncoderDescription TALKATIVE =
      new EncoderDescription(
          "/models/y",
          Optional.of(Pooling.MEAN),
          Optional.of(true),
          OptionalInt.of(256),
          OptionalInt.of(384));

  @Test
  void parsesEveryOption() {
    EncoderOptions options =
        EncoderOptions.parse(Map.of("pooling", "CLS", "normalize", "False", "maxTokens", " 17 "));
    assertThat(options)
        .isEqualTo(
            new EncoderOptions(Optional.of(Pooling.CLS), Optional.of(false), OptionalInt.of(17)));
    assertThat(EncoderOptions.parse(Map.of())).isEqualTo(EncoderOptions.defaults());
  }

  @Test
  void refusesUnknownNamesAndWrongValues() {
    refuses(
        Map.of("pool", "mean"),
        "Cannot use option 'pool': an encoder has the options maxTokens, normalize and pooling");
    refuses(
        Map.of("pooling", "average"),
        "Cannot use option pooling => 'average': it must be one of mean, cls, last, max");
    refuses(
        Map.of("normalize", "yes"),
        "Cannot use option normalize => 'yes': it must be true or false");
    for (String wrong : new String[] {"0", "-1", "many", "1.5", "99999999999"}) {
      refuses(
          Map.of("maxTokens", wrong),
          "Cannot use option maxTokens => '" + wrong + "': it must be a positive whole number");
    }
  }

  @Test
  void anOptionOverridesTheFiles() {
    assertThat(EncoderSettings.resolve(TALKATIVE, EncoderOptions.defaults()))
        .isEqualTo(new EncoderSettings(Pooling.MEAN, true, 256));
    EncoderOptions options =
        EncoderOptions.parse(Map.of("pooling", "max", "normalize", "false", "maxTokens", "10"));
    assertThat(EncoderSettings.resolve(TALKATIVE, options))
        .isEqualTo(new EncoderSettings(Pooling.MAX, false, 10));
    assertThat(EncoderSettings.resolve(SILENT, options))
        .isEqualTo(new EncoderSettings(Pooling.MAX, false, 10));
  }

  @Test
  void namesTheOptionThatNoFileSettles() {
    settles(
        Map.of(),
        "Cannot use model /models/x: its pooling is not known from 1_Pooling/config.json; give it"
            + " as an option, for example pooling => 'mean'");
    settles(
        Map.of("pooling", "mean"),
        "Cannot use model /models/x: its normalisation is not known from modules.json; give it as"
            + " an option, for example normalize => 'true'");
    settles(
        Map.of("pooling", "mean", "normalize", "true"),
        "Cannot use model /models/x: its maximum length is not known from"
            + " sentence_bert_config.json or config.json; give it as an option, for example"
            + " maxTokens => '512'");
  }

  @Test
  void refusesNegativeEngineOptions() {
    assertThatThrownBy(() -> new EngineOptions(-1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot use engine options batchTokens -1, waitingTokens 0, weightBytes 0: none may be"
                + " negative; 0 means what suits the device");
  }

  private static void refuses(Map<String, String> options, String message) {
    assertThatThrownBy(() -> EncoderOptions.parse(options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private static void settles(Map<String, String> options, String message) {
    assertThatThrownBy(() -> EncoderSettings.resolve(SILENT, EncoderOptions.parse(options)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
