package dev.caldera.spark.sql;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The SQL functions that call a model. A function takes the model's name first, then its inputs,
 * one value a row each, then options.
 */
public enum ModelFunction {
  /** A text's embedding. */
  EMBED(
      "ai_embed",
      List.of("text"),
      DataTypes.createArrayType(DataTypes.FloatType, false),
      "_FUNC_(model, text[, options]) - The vector that an embedding model gives for a text, as"
          + " ARRAY<FLOAT>; NULL for NULL.",
      """

          Arguments:
            * model - name of a model that spark.caldera.model.<name>.uri places, or a path or URI
                of a model's folder; a constant
            * text - a string
            * options - named arguments or one map of constants: pooling ('mean', 'cls', 'last' or
                'max'), normalize (true or false), maxTokens (a longer text is cut, and counted);
                what is not given comes from the model's files
      """,
      """

          Examples:
            > SELECT _FUNC_('minilm', 'a good book');
             [0.0123,-0.0456,...]
            > SELECT _FUNC_('minilm', review, pooling => 'mean', normalize => true) FROM reviews;
            > SELECT _FUNC_('/models/bge', review, map('maxTokens', '128')) FROM reviews;
      """);

  private final String sqlName;
  private final List<String> inputs;
  private final ArrayType resultType;
  private final String usage;
  private final String arguments;
  private final String examples;

  ModelFunction(
      String sqlName,
      List<String> inputs,
      ArrayType resultType,
      String usage,
      String arguments,
      String examples) {
    this.sqlName = sqlName;
    this.inputs = inputs;
    this.resultType = resultType;
    this.usage = usage;
    this.arguments = arguments;
    this.examples = examples;
  }

  /** Its name in SQL. */
  public String sqlName() {
    return sqlName;
  }

  /** Names of the arguments that have a value a row. */
  public List<String> inputs() {
    return inputs;
  }

  /** Type of each input. */
  List<AbstractDataType> inputTypes() {
    return inputs.stream().map(input -> (AbstractDataType) DataTypes.StringType).toList();
  }

  /** Type of the result. */
  DataType resultType() {
    return resultType;
  }

  /** What {@code DESCRIBE FUNCTION} says. */
  public ExpressionInfo description() {
    return new ExpressionInfo(
        ModelCall.class.getName(),
        "",
        sqlName,
        usage,
        arguments,
        examples,
        "",
        "misc_funcs",
        "",
        "",
        "java_udf");
  }
}
