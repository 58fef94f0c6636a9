package dev.caldera.spark;

import dev.caldera.spark.executor.FakeEncoders;
import dev.caldera.spark.executor.TestRuntime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * One local session for all tests of a JVM, with fake encoders behind the model {@code fake} and a
 * view {@code texts(id, text, grp)} of 40 rows in four partitions: ids 0 to 39, text
 * "text&lt;id&gt;" or NULL where the id ends in 9, grp the id modulo 4.
 */
public final class LocalSpark {
  /** Rows of the view. */
  public static final int ROWS = 40;

  /** Rows of the view whose text is not NULL. */
  public static final int TEXTS = 36;

  private static final Path FOLDER = folder();
  private static final FakeEncoders ENCODERS = new FakeEncoders();
  private static final SparkSession SESSION = start();

  private LocalSpark() {}

  /** The session. */
  public static SparkSession session() {
    return SESSION;
  }

  /** The encoders, with counts reset. */
  public static FakeEncoders encoders() {
    TestRuntime.use(ENCODERS, FOLDER.resolve("cache"));
    ENCODERS.reset();
    return ENCODERS;
  }

  /** A folder for files of tests. */
  public static Path files() {
    return FOLDER;
  }

  /** Runs a query. */
  public static List<Row> rows(String sql) {
    return SESSION.sql(sql).collectAsList();
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory(Path.of("target").toAbsolutePath(), "local-spark-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SparkSession start() {
    SparkSession session =
        SparkSession.builder()
            .master("local[2]")
            .appName("caldera-tests")
            .config("spark.sql.extensions", CalderaExtensions.class.getName())
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.warehouse.dir", FOLDER.resolve("warehouse").toString())
            .config("spark.caldera.cache.dir", FOLDER.resolve("cache").toString())
            .config("spark.caldera.device", "cpu")
            .config(
                "spark.caldera.model.fake.uri",
                ModelFolders.hollow(FOLDER.resolve("models/fake")).toString())
            .getOrCreate();
    Dataset<Row> texts =
        session
            .range(0, ROWS, 1, 4)
            .selectExpr(
                "id",
                "IF(id % 10 = 9, NULL, concat('text', id)) AS text",
                "CAST(id % 4 AS INT) AS grp");
    String parquet = FOLDER.resolve("texts").toString();
    texts.write().parquet(parquet);
    session.read().parquet(parquet).createOrReplaceTempView("texts");
    return session;
  }
}
