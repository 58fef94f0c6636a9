package dev.caldera.spark.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.spark.LocalSpark;
import dev.caldera.spark.ModelFolders;
import dev.caldera.spark.executor.FakeEncoders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.AnalysisException;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is wrong with a call is said when the query is analysed, before any job starts. */
class AnalysisErrorsTest {
  private FakeEncoders encoders;

  @BeforeEach
  void resetCounts() {
    encoders = LocalSpark.encoders();
  }

  @AfterEach
  void noModelRan() {
    assertThat(encoders.evaluated()).isEmpty();
  }

  /** Analyses only; {@code sql} does not run a query. */
  private static AbstractThrowableAssert<?, ? extends Throwable> analysing(String call) {
    return assertThatThrownBy(() -> LocalSpark.session().sql("SELECT " + call + " FROM texts"))
        .isInstanceOf(AnalysisException.class);
  }

  @Test
  void missingModels() {
    analysing("ai_embed('fakke', text)")
        .hasMessageContaining(
            "Cannot find model 'fakke': spark.caldera.model.fakke.uri is not set; models by name"
                + " are [fake], and a path must have a '/', such as './fakke'. Did you mean"
                + " 'fake'?");
    analysing("ai_embed('/no/such/model', text)")
        .hasMessageContaining(
            "Cannot open model '/no/such/model' at /no/such/model (from the query): there is no"
                + " such folder");
    analysing("ai_embed('nofs://x/y', text)")
        .hasMessageContaining("Cannot open model 'nofs://x/y' at nofs://x/y (from the query): ")
        .hasMessageContaining("nofs");
  }

  @Test
  void missingFiles() throws IOException {
    Path folder = ModelFolders.hollow(LocalSpark.files().resolve("models/broken"));
    Files.delete(folder.resolve("tokenizer.json"));
    analysing("ai_embed('" + folder + "', text)")
        .hasMessageContaining("(from the query): tokenizer.json is not there");
    Files.delete(folder.resolve("model.onnx"));
    analysing("ai_embed('" + folder + "', text)")
        .hasMessageContaining("neither model.onnx nor onnx/model.onnx is there");
    analysing("ai_embed('" + folder.resolve("modules.json") + "', text)")
        .hasMessageContaining(
            "it is a file; give the folder that holds model.onnx and tokenizer.json");
  }

  @Test
  void whatNeitherFilesNorOptionsSay() throws IOException {
    Path folder = ModelFolders.hollow(LocalSpark.files().resolve("models/bare"));
    Files.delete(folder.resolve("1_Pooling/config.json"));
    Files.delete(folder.resolve("modules.json"));
    analysing("ai_embed('" + folder + "', text)")
        .hasMessageContaining("its pooling is not known")
        .hasMessageContaining("pooling => 'mean'")
        .hasMessageContaining(folder.toString());
    Files.writeString(folder.resolve("modules.json"), "{ not json");
    analysing("ai_embed('" + folder + "', text)")
        .hasMessageContaining(folder.resolve("modules.json").toString());
  }

  @Test
  void wrongOptions() {
    analysing("ai_embed('fake', text, poling => 'mean')")
        .hasMessageContaining(
            "Cannot use option 'poling': an encoder has the options maxTokens, normalize and"
                + " pooling");
    analysing("ai_embed('fake', text, pooling => 'median')")
        .hasMessageContaining("Cannot use option pooling => 'median': it must be one of mean");
    analysing("ai_embed('fake', text, normalize => 3)")
        .hasMessageContaining("Cannot use option normalize => '3': it must be true or false");
    analysing("ai_embed('fake', text, map('maxTokens', 'many'))")
        .hasMessageContaining(
            "Cannot use option maxTokens => 'many': it must be a positive whole number");
    analysing("ai_embed('fake', text, pooling => NULL)")
        .hasMessageContaining("Cannot call ai_embed with pooling NULL: it must be one value");
    analysing("ai_embed('fake', text, map('pooling', 'mean'), pooling => 'cls')")
        .hasMessageContaining("Cannot call ai_embed: the option pooling was given twice");
    analysing("ai_embed('fake', text, maxTokens => grp)")
        .hasMessageContaining("with maxTokens")
        .hasMessageContaining("it must be a constant, the same for every row");
    analysing("ai_embed('fake', text, 'mean')")
        .hasMessageContaining(
            "Cannot call ai_embed with options 'mean' of type STRING: options are");
  }

  @Test
  void wrongArguments() {
    analysing("ai_embed('fake')")
        .hasMessageContaining(
            "Cannot call ai_embed: the argument text is missing; it takes (model, text [,"
                + " options])");
    analysing("ai_embed(text => text)")
        .hasMessageContaining("Cannot call ai_embed: the argument model is missing");
    analysing("ai_embed('fake', text, map('pooling', 'mean'), 4)")
        .hasMessageContaining("Cannot call ai_embed: 4 arguments were given");
    analysing("ai_embed(text, text)")
        .hasMessageContaining("Cannot call ai_embed with model")
        .hasMessageContaining("it must be a constant, the same for every row");
    analysing("ai_embed(3, text)")
        .hasMessageContaining(
            "Cannot call ai_embed with model 3 of type INT: it must be a constant string");
  }

  @Test
  void aColumnThatIsNoString() {
    analysing("ai_embed('fake', id)")
        .hasMessageContaining("requires the \"STRING\" type")
        .hasMessageContaining("\"id\" has the type \"BIGINT\"");
  }

  @Test
  void insideALambda() {
    analysing("transform(array(text), t -> ai_embed('fake', t))")
        .hasMessageContaining(
            "Cannot call ai_embed inside a lambda function: it runs on batches of rows");
  }

  @Test
  void bothSidesOfAnOuterJoin() {
    assertThatThrownBy(
            () ->
                LocalSpark.session()
                    .sql(
                        "SELECT a.id FROM texts a LEFT JOIN texts b"
                            + " ON ai_embed('fake', concat(a.text, b.text))[0] > 1"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining(
            "Cannot evaluate a model on columns of both sides in the condition of a LEFT OUTER"
                + " join")
        .hasMessageContaining("use an inner join");
  }

  @Test
  void wrongSettings() {
    var session = LocalSpark.session().newSession();
    session.conf().set("spark.caldera.batch.row", "5");
    assertThatThrownBy(() -> session.sql("SELECT ai_embed('fake', 'a')"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("Did you mean 'spark.caldera.batch.rows'?");
    session.conf().unset("spark.caldera.batch.row");
    session.conf().set("spark.caldera.device", "vulkan");
    assertThatThrownBy(() -> session.sql("SELECT ai_embed('fake', 'a')"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("Cannot change spark.caldera.device from 'cpu' to 'vulkan'");
  }
}
