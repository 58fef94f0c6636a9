package dev.caldera.model.onnx;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Shape;
import java.util.ArrayList;
import java.util.List;

/** Reshape: 0 takes the operand's dim (unless allowzero), one -1 takes what is left. */
final class ReshapeImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    Shape before = node.type(0).shape();
    boolean allowZero = node.integer("allowzero", 0) != 0;
    List<Dim> dims = new ArrayList<>();
    int open = -1;
    Dim known = Dim.fixed(1);
    for (Dim wanted : node.known(1)) {
      Dim dim = wanted;
      if (wanted.equals(Dim.fixed(0)) && !allowZero) {
        dim = before.dim(dims.size());
      }
      if (dim.equals(Dim.fixed(-1))) {
        node.require(open < 0, "its shape " + node.known(1) + " has more than one -1");
        open = dims.size();
      } else {
        known = Dim.product(known, dim);
      }
      dims.add(dim);
    }
    if (open >= 0) {
      dims.set(open, Dim.quotient(before.elements(), known));
    }
    node.result(node.reshape(node.input(0), new Shape(dims)));
  }
}
