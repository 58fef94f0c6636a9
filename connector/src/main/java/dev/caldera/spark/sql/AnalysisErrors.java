package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import java.util.Map;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.AnalysisException;
import org.jspecify.annotations.Nullable;
import scala.Option;

/** Errors that a user sees before a job starts. */
final class AnalysisErrors {
  private AnalysisErrors() {}

  /** An analysis error with a message of ours. */
  static AnalysisException of(String message) {
    return of(message, null);
  }

  /** An analysis error with a message of ours and what caused it. */
  static AnalysisException of(String message, @Nullable Throwable cause) {
    return new AnalysisException(
        message,
        Option.empty(),
        Option.empty(),
        Option.apply(cause),
        Option.empty(),
        ScalaCollections.map(Map.<String, String>of()),
        new QueryContext[0]);
  }

  /** Throws without a {@code throws} clause, as Scala code does. */
  @SuppressWarnings("unchecked")
  static <E extends Throwable> RuntimeException raise(Throwable error) throws E {
    throw (E) error;
  }
}
