package dev.caldera.model.onnx;

import dev.caldera.graph.Op.Unary;
import dev.caldera.graph.Op.UnaryKind;

/** Gelu, by erf or by tanh. */
final class GeluImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    String form = node.attribute("approximate").map(OnnxAttribute::text).orElse("none");
    UnaryKind kind =
        switch (form) {
          case "none" -> UnaryKind.GELU_ERF;
          case "tanh" -> UnaryKind.GELU_TANH;
          default ->
              throw node.error(
                  "attribute approximate "
                      + form
                      + " is not supported; supported are none and tanh");
        };
    node.result(node.apply(new Unary(kind), node.input(0)));
  }
}
