package dev.caldera.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.spark.executor.ExecutorRuntime;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The real MiniLM on the CPU backend, through SQL. */
class MiniLmQueriesTest {
  private static final SparkSession SESSION = LocalSpark.session().newSession();
  private static final Path MODEL = ModelFolders.miniLm();

  @BeforeAll
  static void openTheDevice() {
    ExecutorRuntime.open(SESSION.sparkContext().getConf());
    SESSION.conf().set("spark.caldera.model.minilm.uri", MODEL.toString());
  }

  @AfterAll
  static void closeTheDevice() {
    ExecutorRuntime.close();
  }

  private static Dataset<Row> sentences(int partitions) {
    return SESSION
        .range(0, 200, 1, partitions)
        .selectExpr("id", "concat('The ', id, ' sentence is about ', repeat('tea ', id % 7)) t")
        .selectExpr("id", "ai_embed('minilm', t) v");
  }

  private static Map<Long, List<Float>> vectors(Dataset<Row> rows) {
    return rows.collectAsList().stream()
        .collect(Collectors.toMap(row -> row.getLong(0), row -> row.<Float>getList(1)));
  }

  @Test
  void similarTextsAreNear() {
    List<Row> rows =
        SESSION
            .sql(
                "SELECT text, aggregate(zip_with(ai_embed('minilm', text),"
                    + " ai_embed('minilm', 'a dog ran after a ball'), (a, b) -> a * b), 0D,"
                    + " (s, x) -> s + x) AS similarity FROM VALUES ('a puppy chased a toy'),"
                    + " ('quarterly revenue fell'), ('the dog runs after the ball') AS t(text)"
                    + " ORDER BY similarity DESC")
            .collectAsList();
    assertThat(rows)
        .extracting(row -> row.getString(0))
        .containsExactly(
            "the dog runs after the ball", "a puppy chased a toy", "quarterly revenue fell");
    assertThat(rows.get(0).getDouble(1)).isGreaterThan(0.8);
    assertThat(rows.get(2).getDouble(1)).isLessThan(0.3);
  }

  @Test
  void oneLoadAndTheSameBitsHoweverTheRowsArePartitioned() {
    Map<Long, List<Float>> one = vectors(sentences(1));
    assertThat(one).hasSize(200);
    assertThat(one.get(3L)).hasSize(384);
    assertThat(vectors(sentences(200))).isEqualTo(one);
    assertThat(vectors(sentences(3).orderBy("id"))).isEqualTo(one);
    assertThat(ExecutorRuntime.current().uploads()).isEqualTo(1);
  }

  @Test
  void aTruncatedGraphIsAnErrorThatNamesTheFile() throws IOException {
    Path broken = Files.createDirectories(LocalSpark.files().resolve("models/truncated"));
    for (String file :
        List.of(
            "model.onnx",
            "tokenizer.json",
            "modules.json",
            "sentence_bert_config.json",
            "1_Pooling/config.json")) {
      Files.createDirectories(broken.resolve(file).getParent());
      Files.copy(MODEL.resolve(file), broken.resolve(file));
    }
    try (RandomAccessFile graph =
        new RandomAccessFile(broken.resolve("model.onnx").toFile(), "rw")) {
      graph.setLength(graph.length() / 2);
    }
    assertThatThrownBy(
            () -> SESSION.sql("SELECT ai_embed('" + broken + "', 'a text')").collectAsList())
        .hasStackTraceContaining("Cannot read the model of ")
        .hasStackTraceContaining("/model.onnx: at byte 23, 90387579 bytes are announced");
  }

  @Test
  void textsOverTheMaximumAreCutAndCounted() {
    Dataset<Row> query =
        SESSION.sql("SELECT ai_embed('minilm', repeat('word ', 50), maxTokens => 16) v");
    assertThat(query.collectAsList().get(0).<Float>getList(0)).hasSize(384);
    assertThat(query.queryExecution().executedPlan().toString()).contains("BatchInfer");
  }
}
