package dev.caldera.graph;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Binds the symbols of a graph to the sizes of given inputs, and checks that all inputs agree. */
final class SymbolBinder {

  private SymbolBinder() {}

  static Map<String, Long> bind(Graph graph, Map<String, HostTensor> inputs) {
    Map<String, Long> bindings = new HashMap<>();
    for (Value input : graph.inputs()) {
      HostTensor tensor = inputs.get(input.name());
      if (tensor == null) {
        throw new IllegalArgumentException(
            "Cannot evaluate graph " + graph.name() + ": input " + input + " is missing");
      }
      if (tensor.dtype() != input.type().dtype() || tensor.rank() != input.type().shape().rank()) {
        throw mismatch(graph, input, tensor);
      }
      for (int i = 0; i < tensor.rank(); i++) {
        solve(input.type().shape().dim(i), tensor.dim(i), bindings);
      }
    }
    for (Value input : graph.inputs()) {
      long[] sizes = input.type().shape().evaluate(bindings);
      HostTensor tensor = inputs.get(input.name());
      if (tensor != null && !Arrays.equals(sizes, tensor.dims())) {
        throw mismatch(graph, input, tensor);
      }
    }
    graph.limits().forEach((symbol, most) -> checkLimit(graph, symbol, most, bindings));
    return bindings;
  }

  private static void solve(Dim dim, long size, Map<String, Long> bindings) {
    if (dim instanceof Dim.Symbol symbol) {
      bindings.putIfAbsent(symbol.name(), size);
    } else if (dim instanceof Dim.Sum sum
        && sum.left() instanceof Dim.Symbol symbol
        && sum.right() instanceof Dim.Fixed fixed) {
      bindings.putIfAbsent(symbol.name(), size - fixed.size());
    }
  }

  private static void checkLimit(
      Graph graph, String symbol, long most, Map<String, Long> bindings) {
    Long size = bindings.get(symbol);
    if (size != null && size > most) {
      throw new IllegalArgumentException(
          "Cannot evaluate graph "
              + graph.name()
              + ": "
              + symbol
              + " is "
              + size
              + ", at most "
              + most
              + " is possible");
    }
  }

  private static IllegalArgumentException mismatch(Graph graph, Value input, HostTensor tensor) {
    return new IllegalArgumentException(
        "Cannot evaluate graph "
            + graph.name()
            + ": input "
            + input
            + " is given a tensor of "
            + tensor.type());
  }
}
