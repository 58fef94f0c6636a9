package dev.caldera.spark;

import java.util.Map;
import org.apache.spark.sql.Column;

/**
 * The SQL functions for Java and Scala.
 *
 * <pre>{@code
 * import static dev.caldera.spark.functions.ai_embed;
 *
 * reviews.select(ai_embed("minilm", col("text")))
 * }</pre>
 */
@SuppressWarnings({"checkstyle:TypeName", "checkstyle:MethodName"})
public final class functions {
  private functions() {}

  /** The vector that the embedding model {@code model} gives for a text. */
  public static Column ai_embed(String model, Column text) {
    return org.apache.spark.sql.functions.call_function(
        "ai_embed", org.apache.spark.sql.functions.lit(model), text);
  }

  /** The same with options, such as {@code Map.of("normalize", "true")}. */
  public static Column ai_embed(String model, Column text, Map<String, String> options) {
    if (options.isEmpty()) {
      return ai_embed(model, text);
    }
    Column[] entries =
        options.entrySet().stream()
            .flatMap(entry -> java.util.stream.Stream.of(entry.getKey(), entry.getValue()))
            .map(org.apache.spark.sql.functions::lit)
            .toArray(Column[]::new);
    return org.apache.spark.sql.functions.call_function(
        "ai_embed",
        org.apache.spark.sql.functions.lit(model),
        text,
        org.apache.spark.sql.functions.map(entries));
  }
}
