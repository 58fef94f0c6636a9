package dev.caldera.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Type rules of the ops that formats bring. */
final class PrimitiveTypes {

  private PrimitiveTypes() {}

  static void register(TypeInference.Registry registry) {
    registry.add(Op.Unary.class, PrimitiveTypes::unary);
    registry.add(Op.Binary.class, PrimitiveTypes::binary);
    registry.add(Op.MatMul.class, (op, in) -> matMul(in));
    registry.add(Op.Softmax.class, PrimitiveTypes::softmax);
    registry.add(Op.ReduceMean.class, PrimitiveTypes::reduceMean);
    registry.add(Op.Transpose.class, PrimitiveTypes::transpose);
    registry.add(Op.Reshape.class, PrimitiveTypes::reshape);
    registry.add(Op.Expand.class, PrimitiveTypes::expand);
    registry.add(Op.Gather.class, PrimitiveTypes::gather);
    registry.add(Op.Concat.class, PrimitiveTypes::concat);
    registry.add(Op.Slice.class, PrimitiveTypes::slice);
    registry.add(Op.Cast.class, PrimitiveTypes::cast);
    registry.add(Op.Where.class, (op, in) -> where(in));
    registry.add(Op.DynamicQuantize.class, (op, in) -> dynamicQuantize(in));
    registry.add(Op.MatMulInteger.class, (op, in) -> matMulInteger(in));
    registry.add(Op.Dequantize.class, PrimitiveTypes::dequantize);
  }

  private static List<TensorType> unary(Op.Unary op, List<TensorType> in) {
    Checks.count(in, 1);
    switch (op.kind()) {
      case NOT -> Checks.dtype(in.get(0), "its operand", DType.BOOL);
      case NEGATE, RELU -> {
        if (in.get(0).dtype() == DType.BOOL) {
          throw new IllegalArgumentException("its operand must be a number, not BOOL");
        }
      }
      default -> Checks.isFloat(in.get(0), "its operand");
    }
    return in;
  }

  private static List<TensorType> binary(Op.Binary op, List<TensorType> in) {
    Checks.count(in, 2);
    Checks.sameType(in);
    DType dtype = in.get(0).dtype();
    boolean logical = op.kind() == Op.BinaryKind.AND || op.kind() == Op.BinaryKind.OR;
    if (logical) {
      Checks.dtype(in.get(0), "its operands", DType.BOOL);
    } else if (dtype == DType.BOOL && op.kind() != Op.BinaryKind.EQUAL) {
      throw new IllegalArgumentException("its operands must be numbers, not BOOL");
    }
    Shape shape = in.get(0).shape().broadcast(in.get(1).shape());
    boolean compares =
        switch (op.kind()) {
          case EQUAL, LESS, GREATER -> true;
          default -> false;
        };
    return List.of(new TensorType(compares ? DType.BOOL : dtype, shape));
  }

  private static List<TensorType> matMul(List<TensorType> in) {
    Checks.count(in, 2);
    Checks.sameType(in);
    Checks.isFloat(in.get(0), "its operands");
    return List.of(new TensorType(in.get(0).dtype(), matMulShape(in)));
  }

  private static Shape matMulShape(List<TensorType> in) {
    Shape left = in.get(0).shape();
    Shape right = in.get(1).shape();
    if (left.rank() < 2 || right.rank() < 2) {
      throw new IllegalArgumentException("its operands must have a rank of at least 2");
    }
    if (!left.dim(-1).equals(right.dim(-2))) {
      throw new IllegalArgumentException(
          "inner dims " + left.dim(-1) + " and " + right.dim(-2) + " differ");
    }
    Shape batch =
        new Shape(left.dims().subList(0, left.rank() - 2))
            .broadcast(new Shape(right.dims().subList(0, right.rank() - 2)));
    List<Dim> dims = new ArrayList<>(batch.dims());
    dims.add(left.dim(-2));
    dims.add(right.dim(-1));
    return new Shape(dims);
  }

  private static List<TensorType> softmax(Op.Softmax op, List<TensorType> in) {
    Checks.count(in, 1);
    Checks.isFloat(in.get(0), "its operand");
    Checks.axis(op.axis(), in.get(0).shape().rank());
    return in;
  }

  private static List<TensorType> reduceMean(Op.ReduceMean op, List<TensorType> in) {
    Checks.count(in, 1);
    Checks.isFloat(in.get(0), "its operand");
    Shape shape = in.get(0).shape();
    op.axes().forEach(axis -> Checks.axis(axis, shape.rank()));
    if (!List.copyOf(new TreeSet<>(op.axes())).equals(op.axes())) {
      throw new IllegalArgumentException("axes " + op.axes() + " must be ascending");
    }
    List<Dim> dims = new ArrayList<>();
    for (int i = 0; i < shape.rank(); i++) {
      if (!op.axes().contains(i)) {
        dims.add(shape.dim(i));
      } else if (op.keepDims()) {
        dims.add(Dim.fixed(1));
      }
    }
    return List.of(new TensorType(in.get(0).dtype(), new Shape(dims)));
  }

  private static List<TensorType> transpose(Op.Transpose op, List<TensorType> in) {
    Checks.count(in, 1);
    Shape shape = in.get(0).shape();
    List<Integer> sorted = op.permutation().stream().sorted().toList();
    for (int i = 0; i < Math.max(sorted.size(), shape.rank()); i++) {
      if (sorted.size() != shape.rank() || sorted.get(i) != i) {
        throw new IllegalArgumentException(
            op.permutation() + " is not a permutation of the axes of " + shape);
      }
    }
    Shape result = new Shape(op.permutation().stream().map(shape::dim).toList());
    return List.of(new TensorType(in.get(0).dtype(), result));
  }

  private static List<TensorType> reshape(Op.Reshape op, List<TensorType> in) {
    Checks.count(in, 1);
    Dim before = in.get(0).shape().elements();
    Dim after = op.shape().elements();
    if (!before.equals(after)) {
      throw new IllegalArgumentException(
          "the element counts " + before + " and " + after + " differ");
    }
    return List.of(new TensorType(in.get(0).dtype(), op.shape()));
  }

  private static List<TensorType> expand(Op.Expand op, List<TensorType> in) {
    Checks.count(in, 1);
    if (!in.get(0).shape().broadcast(op.shape()).equals(op.shape())) {
      throw new IllegalArgumentException(
          in.get(0).shape() + " does not broadcast to " + op.shape());
    }
    return List.of(new TensorType(in.get(0).dtype(), op.shape()));
  }

  private static List<TensorType> gather(Op.Gather op, List<TensorType> in) {
    Checks.count(in, 2);
    Checks.dtype(in.get(1), "indices", DType.I32, DType.I64);
    List<Dim> data = in.get(0).shape().dims();
    Checks.axis(op.axis(), data.size());
    List<Dim> dims = new ArrayList<>(data.subList(0, op.axis()));
    dims.addAll(in.get(1).shape().dims());
    dims.addAll(data.subList(op.axis() + 1, data.size()));
    return List.of(new TensorType(in.get(0).dtype(), new Shape(dims)));
  }

  private static List<TensorType> concat(Op.Concat op, List<TensorType> in) {
    if (in.isEmpty()) {
      throw new IllegalArgumentException("it takes at least one operand");
    }
    Checks.sameType(in);
    Shape first = in.get(0).shape();
    Checks.axis(op.axis(), first.rank());
    Dim joined = Dim.fixed(0);
    for (TensorType operand : in) {
      Checks.rank(operand, first.rank(), "each operand");
      List<Dim> dims = new ArrayList<>(operand.shape().dims());
      joined = Dim.sum(joined, dims.set(op.axis(), first.dim(op.axis())));
      if (!dims.equals(first.dims())) {
        throw new IllegalArgumentException(
            "shapes " + first + " and " + operand.shape() + " differ beside axis " + op.axis());
      }
    }
    List<Dim> dims = new ArrayList<>(first.dims());
    dims.set(op.axis(), joined);
    return List.of(new TensorType(in.get(0).dtype(), new Shape(dims)));
  }

  private static List<TensorType> slice(Op.Slice op, List<TensorType> in) {
    Checks.count(in, 1);
    Shape shape = in.get(0).shape();
    Checks.axis(op.axis(), shape.rank());
    Dim length = Dim.difference(op.end(), op.start());
    boolean inside =
        !(length instanceof Dim.Fixed l && l.size() < 0)
            && !(op.start() instanceof Dim.Fixed s && s.size() < 0)
            && !(op.end() instanceof Dim.Fixed e
                && shape.dim(op.axis()) instanceof Dim.Fixed d
                && e.size() > d.size());
    if (!inside) {
      throw new IllegalArgumentException(
          "elements " + op.start() + " to " + op.end() + " do not lie in axis " + op.axis());
    }
    List<Dim> dims = new ArrayList<>(shape.dims());
    dims.set(op.axis(), length);
    return List.of(new TensorType(in.get(0).dtype(), new Shape(dims)));
  }

  private static List<TensorType> cast(Op.Cast op, List<TensorType> in) {
    Checks.count(in, 1);
    return List.of(in.get(0).withDType(op.to()));
  }

  private static List<TensorType> where(List<TensorType> in) {
    Checks.count(in, 3);
    Checks.dtype(in.get(0), "the condition", DType.BOOL);
    Checks.sameType(in.subList(1, 3));
    Shape branches = in.get(1).shape().broadcast(in.get(2).shape());
    Shape shape = in.get(0).shape().broadcast(branches);
    return List.of(new TensorType(in.get(1).dtype(), shape));
  }

  private static List<TensorType> dynamicQuantize(List<TensorType> in) {
    Checks.count(in, 1);
    Checks.dtype(in.get(0), "its operand", DType.F32);
    return List.of(
        in.get(0).withDType(DType.U8),
        new TensorType(DType.F32, Shape.of()),
        new TensorType(DType.U8, Shape.of()));
  }

  private static List<TensorType> matMulInteger(List<TensorType> in) {
    Checks.count(in, 4);
    in.forEach(operand -> Checks.dtype(operand, "each operand", DType.U8, DType.I8));
    Checks.sameType(List.of(in.get(0), in.get(2)));
    Checks.sameType(List.of(in.get(1), in.get(3)));
    Checks.shape(in.get(2), "a's zero point");
    Shape shape = matMulShape(in);
    Checks.rank(in.get(1), 2, "b");
    if (in.get(3).shape().rank() != 0) {
      Checks.shape(in.get(3), "b's zero point", shape.dim(-1));
    }
    return List.of(new TensorType(DType.I32, shape));
  }

  private static List<TensorType> dequantize(Op.Dequantize op, List<TensorType> in) {
    Checks.count(in, 3);
    Checks.dtype(in.get(0), "x", DType.U8, DType.I8, DType.I32);
    Checks.dtype(in.get(1), "the scale", DType.F32);
    Checks.sameType(List.of(in.get(0), in.get(2)));
    if (in.get(1).shape().rank() != 0) {
      Checks.axis(op.axis(), in.get(0).shape().rank());
      Checks.shape(in.get(1), "the scale", in.get(0).shape().dim(op.axis()));
    }
    if (!in.get(2).shape().equals(in.get(1).shape())) {
      throw new IllegalArgumentException("the scale and the zero point must have one shape");
    }
    return List.of(in.get(0).withDType(DType.F32));
  }
}
