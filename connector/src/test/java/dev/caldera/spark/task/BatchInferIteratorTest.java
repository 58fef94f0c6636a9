package dev.caldera.spark.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.spark.LocalSpark;
import dev.caldera.spark.executor.FakeEncoders;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches, order, failures, kills: nothing is lost and everything is released. */
class BatchInferIteratorTest {
  private FakeEncoders encoders;
  private SparkSession session;

  @BeforeEach
  void resetCounts() {
    encoders = LocalSpark.encoders();
    session = LocalSpark.session().newSession();
    session
        .read()
        .parquet(LocalSpark.files().resolve("texts").toString())
        .createOrReplaceTempView("texts");
  }

  @AfterEach
  void everyEncoderIsClosed() {
    encoders.reset();
    await(() -> encoders.open() == 0);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited 30 s").isLessThan(end);
      java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private List<Row> oneTask() {
    return session.sql("SELECT id, ai_embed('fake', text) FROM texts").coalesce(1).collectAsList();
  }

  @Test
  void rowsBoundABatchAndTheirOrderStays() {
    session.conf().set("spark.caldera.batch.rows", "7");
    List<Row> rows = oneTask();
    assertThat(encoders.requests()).isEqualTo(6);
    assertThat(rows).hasSize(LocalSpark.ROWS);
    for (Row row : rows) {
      if (!row.isNullAt(1)) {
        assertThat(row.<Float>getList(1).get(2)).isEqualTo((float) row.getLong(0));
      }
    }
    assertThat(encoders.evaluated())
        .isEqualTo(
            rows.stream().filter(r -> !r.isNullAt(1)).map(r -> "text" + r.getLong(0)).toList());
  }

  @Test
  void bytesBoundABatch() {
    session.conf().set("spark.caldera.batch.bytes", "1");
    assertThat(oneTask()).hasSize(LocalSpark.ROWS);
    assertThat(encoders.requests()).isEqualTo(LocalSpark.TEXTS);
  }

  @Test
  void partitionsWithoutTextsOpenNoEncoder() {
    assertThat(
            session
                .sql("SELECT ai_embed('fake', text) FROM texts WHERE id % 10 = 9")
                .collectAsList())
        .hasSize(4)
        .allMatch(row -> row.isNullAt(0));
    assertThat(encoders.requests()).isZero();
  }

  @Test
  void aFailureNamesFunctionModelAndCause() {
    encoders.failOn("text3");
    assertThatThrownBy(this::oneTask)
        .hasStackTraceContaining("Cannot run ai_embed with model fake@")
        .hasStackTraceContaining("Cannot embed text 'text3'");
  }

  @Test
  void anEarlyLimitReleases() {
    session.conf().set("spark.caldera.batch.rows", "2");
    assertThat(
            session
                .sql("SELECT id FROM texts WHERE ai_embed('fake', text)[2] >= 0 LIMIT 1")
                .collectAsList())
        .hasSize(1);
    assertThat(encoders.evaluated().size()).isLessThanOrEqualTo(8);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aKilledTaskReleases(boolean interrupt) {
    encoders.hold();
    String group = "killed-" + interrupt;
    CompletableFuture<List<Row>> job =
        CompletableFuture.supplyAsync(
            () -> {
              session.sparkContext().setJobGroup(group, "waits for the model", interrupt);
              try {
                return oneTask();
              } finally {
                session.sparkContext().clearJobGroup();
              }
            });
    await(() -> encoders.requests() > 0);
    session.sparkContext().cancelJobGroup(group);
    assertThatThrownBy(() -> job.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("cancelled");
    await(() -> encoders.open() == 0);
  }

  @Test
  void aFailedTaskElsewhereReleases() {
    assertThatThrownBy(
            () ->
                session
                    .sql(
                        "SELECT ai_embed('fake', text)[0] / IF(id = 5, raise_error('no five'), 1)"
                            + " FROM texts")
                    .collectAsList())
        .hasStackTraceContaining("no five");
  }
}
