package dev.caldera.spark.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.spark.LocalSpark;
import dev.caldera.spark.executor.FakeEncoders;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What runs around the model operator: pruned scans, exchanges, adaptive plans, metrics. */
class PlanShapeTest {
  private FakeEncoders encoders;

  @BeforeEach
  void resetCounts() {
    encoders = LocalSpark.encoders();
  }

  private static Dataset<Row> run(SparkSession session, String sql) {
    Dataset<Row> query = session.sql(sql);
    assertThat(query.collectAsList()).isNotNull();
    return query;
  }

  private static <T extends SparkPlan> List<T> nodes(Dataset<Row> query, Class<T> type) {
    return Plans.nodes(query).stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void metricsAddUp() {
    Dataset<Row> query =
        run(LocalSpark.session(), "SELECT ai_embed('fake', text, maxTokens => 2) FROM texts");
    List<BatchInferExec> operators = Plans.operators(query);
    assertThat(operators).hasSize(1);
    assertThat(Plans.metrics(operators.get(0)))
        .containsEntry("numOutputRows", 40L)
        .containsEntry("texts", 36L)
        .containsEntry("tokens", 72L)
        .containsEntry("truncated", 0L)
        .containsEntry("modelLoads", 1L)
        .containsEntry("modelLoadTime", 5_000_000L)
        .containsEntry("deviceTime", encoders.requests() * 1_000_000L)
        .containsEntry("queueTime", encoders.requests() * 2_000_000L)
        .containsEntry("batches", (long) encoders.requests())
        .containsKeys("waitTime", "tokenizeTime");
    Dataset<Row> cut =
        run(LocalSpark.session(), "SELECT ai_embed('fake', text, maxTokens => 1) FROM texts");
    assertThat(Plans.metrics(Plans.operators(cut).get(0)))
        .containsEntry("truncated", 36L)
        .containsEntry("tokens", 36L)
        .containsEntry("modelLoads", 0L);
  }

  @Test
  void metricsHaveReadableNames() {
    Dataset<Row> query = run(LocalSpark.session(), "SELECT ai_embed('fake', text) FROM texts");
    var metrics = Plans.operators(query).get(0).metrics();
    assertThat(metrics.apply("deviceTime").name().get()).isEqualTo("device time");
    assertThat(metrics.apply("deviceTime").metricType()).isEqualTo("nsTiming");
    assertThat(metrics.apply("modelLoadTime").name().get()).isEqualTo("model load time");
    assertThat(metrics.apply("numOutputRows").name().get()).isEqualTo("number of output rows");
  }

  @Test
  void theScanReadsOnlyWhatIsNeededAndTakesTheFilter() {
    Dataset<Row> query =
        run(
            LocalSpark.session(),
            "SELECT ai_embed('fake', text) FROM texts WHERE ai_embed('fake', text)[2] > 5"
                + " AND text LIKE 'text1%'");
    FileSourceScanExec scan = nodes(query, FileSourceScanExec.class).get(0);
    assertThat(scan.requiredSchema().fieldNames()).containsExactly("text");
    assertThat(scan.dataFilters().toString()).contains("StartsWith(text");
    assertThat(Plans.operators(query)).hasSize(1);
  }

  @Test
  void partitioningOfTheChildIsKept() {
    Dataset<Row> query =
        run(
            LocalSpark.session(),
            "SELECT grp, max(v[0]) FROM (SELECT /*+ REPARTITION(2, grp) */ grp,"
                + " ai_embed('fake', text) v FROM texts) GROUP BY grp");
    assertThat(nodes(query, ShuffleExchangeExec.class)).hasSize(1);
  }

  @Test
  void adaptivePlansGoOnFromTheOperator() {
    SparkSession session = LocalSpark.session().newSession();
    session.conf().set("spark.sql.adaptive.enabled", "true");
    session.conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");
    session.conf().set("spark.sql.adaptive.autoBroadcastJoinThreshold", "10m");
    session
        .read()
        .parquet(LocalSpark.files().resolve("texts").toString())
        .createOrReplaceTempView("texts");
    Dataset<Row> query =
        run(
            session,
            "SELECT a.id, ai_embed('fake', concat(a.text, b.grp)) v, a.v w FROM"
                + " (SELECT id, text, ai_embed('fake', text) v FROM texts) a"
                + " JOIN texts b ON a.id = b.id");
    assertThat(nodes(query, BroadcastHashJoinExec.class)).as("planned again").hasSize(1);
    assertThat(encoders.evaluated()).hasSize(2 * LocalSpark.TEXTS);
    assertThat(query.collectAsList()).hasSize(LocalSpark.ROWS);
  }

  @Test
  void withoutAdaptiveExecution() {
    SparkSession session = LocalSpark.session().newSession();
    session.conf().set("spark.sql.adaptive.enabled", "false");
    session
        .read()
        .parquet(LocalSpark.files().resolve("texts").toString())
        .createOrReplaceTempView("texts");
    assertThat(
            session
                .sql(
                    "SELECT id, ai_embed('fake', text) FROM texts"
                        + " ORDER BY ai_embed('fake', text)[2] DESC NULLS LAST")
                .collectAsList())
        .hasSize(LocalSpark.ROWS)
        .first()
        .extracting(row -> row.getLong(0))
        .isEqualTo(38L);
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
  }

  @Test
  void theSameExchangeIsReused() {
    SparkSession session = LocalSpark.session();
    run(
        session,
        "WITH v AS (SELECT grp, max(ai_embed('fake', text)[2]) m FROM texts GROUP BY grp)"
            + " SELECT * FROM v UNION ALL SELECT * FROM v");
    assertThat(encoders.evaluated()).hasSize(LocalSpark.TEXTS);
  }
}
