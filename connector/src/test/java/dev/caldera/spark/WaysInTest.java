package dev.caldera.spark;

import static dev.caldera.spark.functions.ai_embed;
import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The ways to call a model, and to have the functions. */
class WaysInTest {
  @BeforeEach
  void resetCounts() {
    LocalSpark.encoders();
  }

  private static void gives(Column call) {
    List<Row> rows =
        LocalSpark.session().table("texts").filter("id = 7").select(call).collectAsList();
    assertThat(rows.get(0).<Float>getList(0).get(2)).isEqualTo(7f);
  }

  @Test
  void fromJavaAndPython() {
    gives(call_function("ai_embed", lit("fake"), col("text")));
    gives(expr("ai_embed('fake', text)"));
    gives(ai_embed("fake", col("text")));
    gives(ai_embed("fake", col("text"), Map.of("pooling", "mean", "normalize", "true")));
    gives(ai_embed("fake", col("text"), Map.of()));
  }

  @Test
  void fromSql() {
    gives(expr("ai_embed('fake', text, pooling => 'mean', normalize => true, maxTokens => 128)"));
    gives(expr("ai_embed(text => text, model => 'fake')"));
    gives(expr("AI_EMBED('fake', text, map('maxTokens', 128))"));
    gives(expr("ai_embed('fa' || 'ke', text)"));
    gives(expr("ai_embed('" + LocalSpark.files().resolve("models/fake") + "', text)"));
    assertThat(LocalSpark.rows("DESCRIBE FUNCTION EXTENDED ai_embed").toString())
        .contains("ai_embed(model, text[, options]) - The vector that an embedding model gives")
        .contains("spark.caldera.model.<name>.uri")
        .contains("SELECT ai_embed('minilm', 'a good book');");
  }

  @Test
  void fromAViewAndASqlFunction() {
    LocalSpark.rows(
        "CREATE OR REPLACE TEMP VIEW embedded AS SELECT id, ai_embed('fake', text) v FROM texts");
    assertThat(LocalSpark.rows("SELECT v[2] FROM embedded WHERE id = 4").get(0).getFloat(0))
        .isEqualTo(4f);
    LocalSpark.rows(
        "CREATE OR REPLACE TEMPORARY FUNCTION third(t STRING) RETURNS FLOAT RETURN ai_embed('fake', t)[2]");
    assertThat(LocalSpark.rows("SELECT third(text) FROM texts WHERE id = 4").get(0).getFloat(0))
        .isEqualTo(4f);
    assertThat(
            LocalSpark.session()
                .sql("SELECT ai_embed(:m, :t)[2]", Map.of("m", "fake", "t", "x12"))
                .collectAsList()
                .get(0)
                .getFloat(0))
        .isEqualTo(12f);
  }

  @Test
  void thePluginAddsTheExtensionsOnce() {
    SparkConf conf = new SparkConf(false);
    CalderaPlugin.addExtensions(conf);
    assertThat(conf.get("spark.sql.extensions")).isEqualTo("dev.caldera.spark.CalderaExtensions");
    CalderaPlugin.addExtensions(conf);
    assertThat(conf.get("spark.sql.extensions")).isEqualTo("dev.caldera.spark.CalderaExtensions");
    conf.set("spark.sql.extensions", "com.example.Other");
    CalderaPlugin.addExtensions(conf);
    assertThat(conf.get("spark.sql.extensions"))
        .isEqualTo("com.example.Other,dev.caldera.spark.CalderaExtensions");
  }
}
