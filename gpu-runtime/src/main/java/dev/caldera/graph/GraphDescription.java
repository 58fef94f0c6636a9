package dev.caldera.graph;

import java.util.stream.Collectors;

/** Writes a graph as text; see {@link Graph#describe()}. */
final class GraphDescription {

  private GraphDescription() {}

  static String of(Graph graph) {
    StringBuilder text = new StringBuilder();
    long bytes = graph.constants().values().stream().mapToLong(TensorData::byteSize).sum();
    line(
        text,
        "graph %s: %s, %s of %,d bytes",
        graph.name(),
        count(graph.nodes().size(), "node"),
        count(graph.constants().size(), "constant"),
        bytes);
    graph.inputs().forEach(input -> line(text, "  input %s", input));
    graph.limits().entrySet().stream()
        .sorted(java.util.Map.Entry.comparingByKey())
        .forEach(e -> line(text, "  limit %s <= %d", e.getKey(), e.getValue()));
    graph.nodes().forEach(node -> line(text, "  %s", line(graph, node)));
    graph.outputs().forEach(output -> line(text, "  output %s", output));
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(java.util.Locale.ROOT, format, values)).append('\n');
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  private static String line(Graph graph, Node node) {
    String results = node.outputs().stream().map(Value::toString).collect(Collectors.joining(", "));
    String operands =
        node.inputs().stream().map(v -> operand(graph, v)).collect(Collectors.joining(", "));
    boolean named = node.outputs().size() == 1 && node.output().name().equals(node.name());
    return results + " = " + node.op() + "(" + operands + ")" + (named ? "" : " @" + node.name());
  }

  /** An operand by name; a constant also by type, since it has no line of its own. */
  private static String operand(Graph graph, Value value) {
    return graph.constants().containsKey(value) ? value.toString() : value.name();
  }
}
