package dev.caldera.examples;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Semantic search over product reviews: embeds every review with {@code ai_embed}, then orders them
 * by the cosine between their vector and that of a query.
 *
 * <p>Run by spark-submit with two arguments: a CSV file with the columns id, product and text, and
 * the query. The session's configuration names the model {@code minilm}.
 */
public final class EmbedReviews {
  private static final String REVIEWS =
      """
      CREATE TEMPORARY VIEW reviews (id INT, product STRING, text STRING)
      USING csv OPTIONS (path '%s', header true, multiLine true, escape '"')
      """;

  private static final String EMBED =
      """
      SELECT id, product, text, ai_embed('minilm', text) AS embedding
      FROM reviews
      """;

  private static final String SEARCH =
      """
      WITH query AS (SELECT ai_embed('minilm', :query) AS vector)
      SELECT product, text, vector_cosine_similarity(embedding, vector) AS similarity
      FROM embedded CROSS JOIN query
      ORDER BY similarity DESC NULLS LAST
      LIMIT 5
      """;

  private EmbedReviews() {}

  /**
   * Runs the job; ends the process with exit code 1 if it fails.
   *
   * @param arguments path of the reviews, query
   */
  public static void main(String[] arguments) {
    if (arguments.length != 2) {
      throw new IllegalArgumentException(
          "Cannot run with " + arguments.length + " arguments: expected REVIEWS.csv QUERY");
    }
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    try (SparkSession spark = SparkSession.builder().appName("embed-reviews").getOrCreate()) {
      run(spark, arguments[0], arguments[1], new Report(out));
    } catch (Exception e) {
      System.err.println("\nCannot search the reviews. " + String.join("\n", Report.reasons(e)));
      System.exit(1);
    }
  }

  private static void run(SparkSession spark, String reviews, String query, Report report) {
    spark.sql(REVIEWS.formatted(reviews.replace("\\", "\\\\").replace("'", "\\'")));

    Dataset<Row> embedded = spark.sql(EMBED);
    long start = System.nanoTime();
    List<Row> rows = embedded.collectAsList();
    double seconds = (System.nanoTime() - start) * 1e-9;
    OperatorMetrics metrics = OperatorMetrics.of(embedded.queryExecution().executedPlan());

    spark.createDataFrame(rows, embedded.schema()).createOrReplaceTempView("embedded");
    List<Row> nearest = spark.sql(SEARCH, Map.of("query", query)).collectAsList();

    report.nearest(query, nearest);
    report.speed(rows.size(), metrics, seconds);
    report.metrics(metrics);
  }
}
