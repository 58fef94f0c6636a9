package dev.caldera.spark.task;

import dev.caldera.engine.EncoderOptions;
import dev.caldera.spark.executor.ModelReference;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * A call as a task runs it.
 *
 * @param function name in SQL, for messages
 * @param model the model
 * @param options its options
 * @param text the input, over the columns of the child
 * @param constant whether the input is the same for every row
 */
public record CallPlan(
    String function,
    ModelReference model,
    TreeMap<String, String> options,
    Expression text,
    boolean constant)
    implements Serializable {

  /** Copies the options. */
  public CallPlan(
      String function,
      ModelReference model,
      Map<String, String> options,
      Expression text,
      boolean constant) {
    this(function, model, new TreeMap<>(options), text, constant);
  }

  EncoderOptions encoderOptions() {
    return EncoderOptions.parse(options);
  }
}
