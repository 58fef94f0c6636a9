package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.jspecify.annotations.Nullable;

/** Values of the arguments that must be constants. */
final class ConstantArguments {
  private ConstantArguments() {}

  /** A constant string. */
  static String text(Expression argument, String name, ModelFunction function) {
    if (!(argument.dataType() instanceof StringType)) {
      throw new IllegalArgumentException(
          "Cannot call "
              + function.sqlName()
              + " with "
              + name
              + " "
              + argument.sql()
              + " of type "
              + argument.dataType().sql()
              + ": it must be a constant string");
    }
    return option(argument, name, function);
  }

  /** A constant of any simple type, as text. */
  static String option(Expression argument, String name, ModelFunction function) {
    Object value = value(argument, name, function);
    if (value == null || value instanceof MapData) {
      throw new IllegalArgumentException(
          "Cannot call "
              + function.sqlName()
              + " with "
              + name
              + " "
              + argument.sql()
              + ": it must be one value that is not NULL");
    }
    return value.toString();
  }

  /** The entries of a constant map. */
  static Map<String, String> entries(Expression argument, ModelFunction function) {
    if (!(argument.dataType() instanceof MapType type) || !(type.keyType() instanceof StringType)) {
      throw new IllegalArgumentException(
          "Cannot call "
              + function.sqlName()
              + " with options "
              + argument.sql()
              + " of type "
              + argument.dataType().sql()
              + ": options are named arguments, such as pooling => 'mean', or a map, such as"
              + " map('pooling', 'mean')");
    }
    Map<String, String> entries = new LinkedHashMap<>();
    if (!(value(argument, "options", function) instanceof MapData map)) {
      return entries;
    }
    for (int i = 0; i < map.numElements(); i++) {
      String name = map.keyArray().getUTF8String(i).toString();
      if (map.valueArray().isNullAt(i)) {
        throw new IllegalArgumentException(
            "Cannot call " + function.sqlName() + " with option " + name + " => NULL");
      }
      entries.put(name, map.valueArray().get(i, type.valueType()).toString());
    }
    return entries;
  }

  private static @Nullable Object value(Expression argument, String name, ModelFunction function) {
    if (!argument.foldable()) {
      throw new IllegalArgumentException(
          "Cannot call "
              + function.sqlName()
              + " with "
              + name
              + " "
              + argument.sql()
              + ": it must be a constant, the same for every row");
    }
    return evaluable(argument).eval(InternalRow.empty());
  }

  /** The optimizer replaces such expressions, and it has not run yet. */
  private static Expression evaluable(Expression expression) {
    if (expression instanceof RuntimeReplaceable replaceable) {
      return evaluable(replaceable.replacement());
    }
    return (Expression)
        expression.mapChildren(ScalaCollections.function(ConstantArguments::evaluable));
  }
}
