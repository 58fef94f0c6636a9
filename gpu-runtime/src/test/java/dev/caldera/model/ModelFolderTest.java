package dev.caldera.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.Op.Pooling;
import dev.caldera.testing.MiniLm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelFolderTest {
  @TempDir Path folder;

  @BeforeEach
  void writeNeededFiles() throws IOException {
    write("model.onnx", "weights");
    write("tokenizer.json", "{}");
  }

  @Test
  void findsTheFilesOfMiniLm() {
    ModelFolder model = ModelFolder.open(MiniLm.folder());
    assertThat(model.graph()).isEqualTo(MiniLm.onnx());
    assertThat(model.tokenizer()).isEqualTo(MiniLm.tokenizer());
    assertThat(model.path()).isEqualTo(MiniLm.folder());
    assertThat(model.description().pooling()).contains(Pooling.MEAN);
    assertThat(model.description().normalize()).contains(true);
    assertThat(model.description().maxTokens()).hasValue(256);
    assertThat(model.description().width()).hasValue(384);
  }

  @Test
  void findsTheGraphInItsSubfolder() throws IOException {
    Files.delete(folder.resolve("model.onnx"));
    write("onnx/model.onnx", "weights");
    assertThat(ModelFolder.open(folder).graph()).isEqualTo(folder.resolve("onnx/model.onnx"));
  }

  @Test
  void leavesEmptyWhatNoFileSays() {
    EncoderDescription description = ModelFolder.open(folder).description();
    assertThat(description.pooling()).isEmpty();
    assertThat(description.normalize()).isEmpty();
    assertThat(description.maxTokens()).isEmpty();
    assertThat(description.width()).isEmpty();
  }

  @Test
  void describesWithoutWeights() throws IOException {
    Files.delete(folder.resolve("model.onnx"));
    write("config.json", "{\"model_type\": \"bert\", \"max_position_embeddings\": 512}");
    assertThat(EncoderDescription.read(folder).maxTokens()).hasValue(512);
  }

  @Test
  void takesThePositionTableAsLimitOfABertOnly() throws IOException {
    write("config.json", "{\"model_type\": \"xlm-roberta\", \"max_position_embeddings\": 514}");
    assertThat(EncoderDescription.read(folder).maxTokens()).isEmpty();
    write(
        "config.json",
        "{\"model_type\": \"bert\", \"max_position_embeddings\": 512, \"hidden_size\": 64}");
    assertThat(EncoderDescription.read(folder).maxTokens()).hasValue(512);
    assertThat(EncoderDescription.read(folder).width()).hasValue(64);
    write("sentence_bert_config.json", "{\"max_seq_length\": 128}");
    assertThat(EncoderDescription.read(folder).maxTokens()).hasValue(128);
    write("sentence_bert_config.json", "{\"max_seq_length\": null}");
    assertThat(EncoderDescription.read(folder).maxTokens()).hasValue(512);
  }

  @Test
  void readsPoolingFromTheFolderThatTheModulesName() throws IOException {
    write(
        "modules.json",
        "[{\"path\": \"0_Transformer\", \"type\": \"sentence_transformers.models.Transformer\"},"
            + " {\"path\": \"pool\", \"type\": \"sentence_transformers.models.Pooling\"}]");
    write("pool/config.json", "{\"pooling_mode_cls_token\": true}");
    write("0_Transformer/sentence_bert_config.json", "{\"max_seq_length\": 99}");
    EncoderDescription description = EncoderDescription.read(folder);
    assertThat(description.pooling()).contains(Pooling.CLS);
    assertThat(description.normalize()).contains(false);
    assertThat(description.maxTokens()).hasValue(99);
  }

  @Test
  void knowsEverySupportedPooling() throws IOException {
    assertThat(pooling("{\"pooling_mode\": \"mean\"}")).isEqualTo(Pooling.MEAN);
    assertThat(pooling("{\"pooling_mode\": \"cls\"}")).isEqualTo(Pooling.CLS);
    assertThat(pooling("{\"pooling_mode\": \"lasttoken\"}")).isEqualTo(Pooling.LAST);
    assertThat(pooling("{\"pooling_mode_max_tokens\": true}")).isEqualTo(Pooling.MAX);
    assertThat(pooling("{\"pooling_mode_lasttoken\": true}")).isEqualTo(Pooling.LAST);
  }

  @Test
  void refusesPoolingItCannotDo() throws IOException {
    write(
        "1_Pooling/config.json",
        "{\"pooling_mode_mean_tokens\": true, \"pooling_mode_cls_token\": true}");
    assertThatThrownBy(() -> ModelFolder.open(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot use pooling [cls_token, mean_tokens] of %s: exactly one of mean_tokens,"
                + " cls_token, max_tokens and lasttoken is supported",
            folder.resolve("1_Pooling/config.json"));
    write("1_Pooling/config.json", "{\"pooling_mode_mean_sqrt_len_tokens\": true}");
    assertThatThrownBy(() -> ModelFolder.open(folder))
        .hasMessageStartingWith("Cannot use pooling [mean_sqrt_len_tokens] of ");
    write("1_Pooling/config.json", "{\"pooling_mode_mean_tokens\": \"yes\"}");
    assertThatThrownBy(() -> ModelFolder.open(folder))
        .hasMessage(
            "Cannot use pooling_mode_mean_tokens \"yes\" of %s: it must be true or false",
            folder.resolve("1_Pooling/config.json"));
  }

  @Test
  void refusesModulesItCannotDo() throws IOException {
    write("modules.json", "[{\"path\": \"2_Dense\", \"type\": \"x.models.Dense\"}]");
    assertThatThrownBy(() -> ModelFolder.open(folder))
        .hasMessage(
            "Cannot use model %s: its modules.json has a module x.models.Dense; only Transformer,"
                + " Pooling and Normalize are supported",
            folder);
    write("modules.json", "[{\"path\": \"../elsewhere\", \"type\": \"x.Pooling\"}]");
    assertThatThrownBy(() -> ModelFolder.open(folder))
        .hasMessage(
            "Cannot use module path ../elsewhere of %s: it leads out of the folder", folder);
    write("modules.json", "[{\"path\": \"1_Pooling\", \"type\": \"x.Pooling\"}]");
    assertThatThrownBy(() -> ModelFolder.open(folder))
        .hasMessageStartingWith("Cannot read " + folder.resolve("1_Pooling/config.json") + ": ");
  }

  @Test
  void namesWhatIsMissing() throws IOException {
    assertThatThrownBy(() -> ModelFolder.open(folder.resolve("none")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot open model %s: there is no such folder", folder.resolve("none"));
    Files.delete(folder.resolve("tokenizer.json"));
    assertThatThrownBy(() -> ModelFolder.open(folder))
        .hasMessage("Cannot open model %s: tokenizer.json is not there", folder);
    Files.delete(folder.resolve("model.onnx"));
    assertThatThrownBy(() -> ModelFolder.open(folder))
        .hasMessage(
            "Cannot open model %s: neither model.onnx nor onnx/model.onnx is there", folder);
  }

  @Test
  void namesFileAndPlaceOfBrokenJson() throws IOException {
    write("config.json", "{\n\"model_type\": ");
    assertThatThrownBy(() -> ModelFolder.open(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot read " + folder.resolve("config.json") + " as JSON: ")
        .hasMessageEndingWith(" at line 2");
    write("config.json", "7");
    assertThatThrownBy(() -> ModelFolder.open(folder))
        .hasMessage(
            "Cannot read %s: it must hold a JSON object or array", folder.resolve("config.json"));
    write("config.json", "{\"hidden_size\": 0}");
    assertThatThrownBy(() -> ModelFolder.open(folder))
        .hasMessage(
            "Cannot use hidden_size 0 of %s: it must be a positive whole number",
            folder.resolve("config.json"));
  }

  @Test
  void revisionChangesWithTheFiles() throws IOException {
    String before = ModelFolder.open(folder).revision();
    assertThat(before).matches("[0-9a-f]{64}").isEqualTo(ModelFolder.open(folder).revision());
    Files.setLastModifiedTime(folder.resolve("model.onnx"), FileTime.fromMillis(1_000_000));
    String touched = ModelFolder.open(folder).revision();
    assertThat(touched).isNotEqualTo(before);
    write("onnx/weights.bin", "external data");
    assertThat(ModelFolder.open(folder).revision()).isNotEqualTo(touched);
  }

  private Pooling pooling(String config) throws IOException {
    write("1_Pooling/config.json", config);
    return EncoderDescription.read(folder).pooling().orElseThrow();
  }

  private void write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }
}
