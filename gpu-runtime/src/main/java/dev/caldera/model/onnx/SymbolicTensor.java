package dev.caldera.model.onnx;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A small tensor of integers or booleans whose elements may be symbolic: what shape arithmetic
 * works on.
 *
 * @param dims its own sizes, outermost first
 * @param elements row-major
 */
record SymbolicTensor(DType dtype, List<Long> dims, List<Dim> elements) {

  SymbolicTensor {
    dims = List.copyOf(dims);
    elements = List.copyOf(elements);
  }

  /** A vector. */
  static SymbolicTensor vector(List<Dim> elements) {
    return new SymbolicTensor(DType.I64, List.of((long) elements.size()), elements);
  }

  /** A scalar. */
  static SymbolicTensor scalar(Dim element) {
    return new SymbolicTensor(DType.I64, List.of(), List.of(element));
  }

  /** Numbers as dims. */
  static SymbolicTensor of(HostTensor tensor) {
    List<Dim> elements = new ArrayList<>();
    for (int i = 0; i < tensor.size(); i++) {
      elements.add(Dim.fixed(tensor.longAt(i)));
    }
    return new SymbolicTensor(
        tensor.dtype(), Arrays.stream(tensor.dims()).boxed().toList(), elements);
  }

  TensorType type() {
    return new TensorType(dtype, Shape.fixed(sizes()));
  }

  long[] sizes() {
    return dims.stream().mapToLong(Long::longValue).toArray();
  }

  /** Whether no element is symbolic. */
  boolean isFixed() {
    return elements.stream().allMatch(e -> e instanceof Dim.Fixed);
  }

  /** The numbers, if {@link #isFixed()}. */
  HostTensor toHost() {
    long[] values = elements.stream().mapToLong(e -> ((Dim.Fixed) e).size()).toArray();
    return HostTensor.integers(dtype, values, sizes());
  }
}
