package dev.caldera.spark.sql;

import dev.caldera.spark.executor.ModelReference;
import dev.caldera.spark.interop.ScalaCollections;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedArgumentExpression;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * Makes the {@link ModelCall} of a function call in a query, while the query is analysed: orders
 * the arguments, settles the constants, finds the model. What is wrong is an analysis error.
 *
 * <p>Arguments come in order or by name: {@code model}, the inputs, then options, by name each or
 * as one map of constants.
 */
public final class ModelCallBuilder extends AbstractFunction1<Seq<Expression>, Expression> {
  private static final String MODEL = "model";
  private static final String OPTIONS = "options";

  private final ModelFunction function;

  /** A builder of calls of {@code function}. */
  public ModelCallBuilder(ModelFunction function) {
    this.function = function;
  }

  @Override
  public Expression apply(Seq<Expression> arguments) {
    try {
      return call(byName(ScalaCollections.list(arguments)));
    } catch (IllegalArgumentException e) {
      throw AnalysisErrors.raise(AnalysisErrors.of(String.valueOf(e.getMessage()), e));
    }
  }

  private List<String> parameters() {
    List<String> parameters = new ArrayList<>();
    parameters.add(MODEL);
    parameters.addAll(function.inputs());
    parameters.add(OPTIONS);
    return parameters;
  }

  private Map<String, Expression> byName(List<Expression> arguments) {
    List<String> parameters = parameters();
    Map<String, Expression> named = new LinkedHashMap<>();
    boolean namesBegan = false;
    for (Expression argument : arguments) {
      String name;
      Expression value = argument;
      if (argument instanceof NamedArgumentExpression given) {
        namesBegan = true;
        name = given.key();
        value = given.value();
      } else {
        if (namesBegan) {
          throw wrong("the argument " + argument.sql() + " without a name follows a named one");
        }
        if (named.size() == parameters.size()) {
          throw wrong(arguments.size() + " arguments were given");
        }
        name = parameters.get(named.size());
      }
      if (named.put(canonical(name), value) != null) {
        throw wrong("the argument " + name + " was given twice");
      }
    }
    return named;
  }

  /** Parameters are case-insensitive, as all names in SQL; options keep their spelling. */
  private String canonical(String name) {
    return parameters().stream().filter(name::equalsIgnoreCase).findFirst().orElse(name);
  }

  private ModelCall call(Map<String, Expression> named) {
    String model = ConstantArguments.text(required(named, MODEL), MODEL, function);
    List<Expression> inputs = new ArrayList<>();
    for (String input : function.inputs()) {
      inputs.add(required(named, input));
    }
    Map<String, String> given = new LinkedHashMap<>();
    named.forEach((name, value) -> addOption(given, name, value));
    SessionModels session = SessionModels.current();
    CallOptions options = CallOptions.of(given);
    ModelReference reference = session.find(model);
    session.check(reference, options);
    return new ModelCall(function, reference, options, ScalaCollections.seq(inputs));
  }

  private void addOption(Map<String, String> given, String name, Expression value) {
    if (name.equals(OPTIONS)) {
      ConstantArguments.entries(value, function).forEach((key, text) -> addOnce(given, key, text));
    } else if (!name.equals(MODEL) && !function.inputs().contains(name)) {
      addOnce(given, name, ConstantArguments.option(value, name, function));
    }
  }

  private void addOnce(Map<String, String> given, String name, String value) {
    if (given.put(name, value) != null) {
      throw wrong("the option " + name + " was given twice");
    }
  }

  private Expression required(Map<String, Expression> named, String name) {
    @Nullable Expression value = named.get(name);
    if (value == null) {
      throw wrong("the argument " + name + " is missing");
    }
    return value;
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(
        "Cannot call "
            + function.sqlName()
            + ": "
            + what
            + "; it takes ("
            + MODEL
            + ", "
            + String.join(", ", function.inputs())
            + " [, "
            + OPTIONS
            + "])");
  }
}
