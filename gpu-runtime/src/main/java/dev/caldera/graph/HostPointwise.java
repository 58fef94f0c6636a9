package dev.caldera.graph;

import java.util.List;

/** Host rules of the pointwise ops. */
final class HostPointwise {

  private HostPointwise() {}

  static void register(HostEvaluator.Registry registry) {
    registry.add(Op.Unary.class, HostPointwise::unary);
    registry.add(Op.Binary.class, HostPointwise::binary);
    registry.add(Op.Cast.class, (op, in) -> cast(op, in.get(0)));
    registry.add(Op.Where.class, (op, in) -> where(in));
    registry.add(Op.DynamicQuantize.class, (op, in) -> dynamicQuantize(in.get(0)));
    registry.add(Op.Dequantize.class, HostPointwise::dequantize);
  }

  private static List<HostTensor> unary(Op.Unary op, List<HostTensor> in) {
    HostTensor x = in.get(0);
    if (!x.dtype().isFloat()) {
      long[] results = new long[x.size()];
      for (int i = 0; i < results.length; i++) {
        results[i] = integer(op.kind(), x.longAt(i));
      }
      return List.of(HostTensor.integers(x.dtype(), results, x.dims()));
    }
    double[] results = new double[x.size()];
    for (int i = 0; i < results.length; i++) {
      results[i] = real(op.kind(), x.floatAt(i));
    }
    return List.of(HostTensor.of(x.dtype(), results, x.dims()));
  }

  private static long integer(Op.UnaryKind kind, long x) {
    return switch (kind) {
      case NOT -> 1 - x;
      case NEGATE -> Math.negateExact(x);
      case RELU -> Math.max(x, 0);
      default -> throw new IllegalStateException(kind + " of an integer");
    };
  }

  private static double real(Op.UnaryKind kind, double x) {
    return switch (kind) {
      case ERF -> SpecialFunctions.erf(x);
      case SQRT -> Math.sqrt(x);
      case TANH -> Math.tanh(x);
      case EXP -> Math.exp(x);
      case NEGATE -> -x;
      case RECIPROCAL -> 1 / x;
      case RELU -> Math.max(x, 0);
      case SIGMOID -> SpecialFunctions.sigmoid(x);
      case GELU_ERF -> SpecialFunctions.geluErf(x);
      case GELU_TANH -> SpecialFunctions.geluTanh(x);
      case NOT -> throw new IllegalStateException("NOT of a float");
    };
  }

  private static List<HostTensor> binary(Op.Binary op, List<HostTensor> in) {
    HostTensor left = in.get(0);
    HostTensor right = in.get(1);
    long[] dims = HostIndex.broadcastDims(left.dims(), right.dims());
    int[] l = HostIndex.broadcast(left.dims(), dims);
    int[] r = HostIndex.broadcast(right.dims(), dims);
    boolean compares =
        switch (op.kind()) {
          case EQUAL, LESS, GREATER -> true;
          default -> false;
        };
    if (left.dtype().isFloat() && !compares) {
      double[] results = new double[l.length];
      for (int i = 0; i < results.length; i++) {
        results[i] = real(op.kind(), left.floatAt(l[i]), right.floatAt(r[i]));
      }
      return List.of(HostTensor.of(left.dtype(), results, dims));
    }
    long[] results = new long[l.length];
    for (int i = 0; i < results.length; i++) {
      results[i] =
          left.dtype().isFloat()
              ? compare(op.kind(), left.floatAt(l[i]), right.floatAt(r[i]))
              : integer(op.kind(), left.longAt(l[i]), right.longAt(r[i]));
    }
    return List.of(HostTensor.integers(compares ? DType.BOOL : left.dtype(), results, dims));
  }

  private static double real(Op.BinaryKind kind, double x, double y) {
    return switch (kind) {
      case ADD -> x + y;
      case SUBTRACT -> x - y;
      case MULTIPLY -> x * y;
      case DIVIDE -> x / y;
      case POWER -> Math.pow(x, y);
      case MINIMUM -> Math.min(x, y);
      case MAXIMUM -> Math.max(x, y);
      case EQUAL, LESS, GREATER, AND, OR ->
          throw new IllegalStateException(kind + " does not give a float");
    };
  }

  private static long compare(Op.BinaryKind kind, float x, float y) {
    return switch (kind) {
      case EQUAL -> x == y ? 1 : 0;
      case LESS -> x < y ? 1 : 0;
      case GREATER -> x > y ? 1 : 0;
      default -> throw new IllegalStateException(kind + " does not compare");
    };
  }

  private static long integer(Op.BinaryKind kind, long x, long y) {
    return switch (kind) {
      case ADD -> Math.addExact(x, y);
      case SUBTRACT -> Math.subtractExact(x, y);
      case MULTIPLY -> Math.multiplyExact(x, y);
      case DIVIDE -> divide(x, y);
      case POWER -> power(x, y);
      case MINIMUM -> Math.min(x, y);
      case MAXIMUM -> Math.max(x, y);
      case EQUAL -> x == y ? 1 : 0;
      case LESS -> x < y ? 1 : 0;
      case GREATER -> x > y ? 1 : 0;
      case AND -> x & y;
      case OR -> x | y;
    };
  }

  private static long divide(long x, long y) {
    if (y == 0 || (x == Long.MIN_VALUE && y == -1)) {
      throw new ArithmeticException("Cannot divide " + x + " by " + y);
    }
    return x / y;
  }

  private static long power(long x, long y) {
    if (y < 0) {
      throw new ArithmeticException("Cannot raise integer " + x + " to " + y);
    }
    if (x == 0 || x == 1 || x == -1) {
      return y == 0 || x == 1 || (x == -1 && y % 2 == 0) ? 1 : x;
    }
    long result = 1;
    for (long i = 0; i < y; i++) {
      result = Math.multiplyExact(result, x);
    }
    return result;
  }

  private static List<HostTensor> cast(Op.Cast op, HostTensor x) {
    if (!op.to().isFloat() && !x.dtype().isFloat() && op.to() != DType.BOOL) {
      return List.of(HostTensor.integers(op.to(), x.toLongs(), x.dims()));
    }
    double[] values = new double[x.size()];
    for (int i = 0; i < values.length; i++) {
      double value = x.valueAt(i);
      values[i] = op.to() == DType.BOOL ? (value == 0 ? 0 : 1) : value;
    }
    return List.of(HostTensor.of(op.to(), values, x.dims()));
  }

  private static List<HostTensor> where(List<HostTensor> in) {
    HostTensor x = in.get(1);
    HostTensor y = in.get(2);
    long[] dims =
        HostIndex.broadcastDims(in.get(0).dims(), HostIndex.broadcastDims(x.dims(), y.dims()));
    int[] c = HostIndex.broadcast(in.get(0).dims(), dims);
    int[] xs = HostIndex.broadcast(x.dims(), dims);
    int[] ys = HostIndex.broadcast(y.dims(), dims);
    float[] floats = new float[x.dtype().isFloat() ? c.length : 0];
    long[] longs = new long[x.dtype().isFloat() ? 0 : c.length];
    for (int i = 0; i < c.length; i++) {
      HostTensor from = in.get(0).longAt(c[i]) != 0 ? x : y;
      int at = from == x ? xs[i] : ys[i];
      if (x.dtype().isFloat()) {
        floats[i] = from.floatAt(at);
      } else {
        longs[i] = from.longAt(at);
      }
    }
    return List.of(HostTensor.ofParts(x.dtype(), dims, floats, longs));
  }

  /** ONNX DynamicQuantizeLinear: the range is widened to hold 0; ties round to even. */
  private static List<HostTensor> dynamicQuantize(HostTensor x) {
    float least = 0;
    float most = 0;
    for (int i = 0; i < x.size(); i++) {
      least = Math.min(least, x.floatAt(i));
      most = Math.max(most, x.floatAt(i));
    }
    float scale = most == least ? 1 : (most - least) / 255;
    long zero = clampToByte(Math.rint(-least / scale));
    long[] values = new long[x.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = clampToByte(Math.rint(x.floatAt(i) / scale) + zero);
    }
    return List.of(
        HostTensor.integers(DType.U8, values, x.dims()),
        HostTensor.floats(new float[] {scale}),
        HostTensor.integers(DType.U8, new long[] {zero}));
  }

  private static long clampToByte(double value) {
    return (long) Math.max(0, Math.min(255, value));
  }

  private static List<HostTensor> dequantize(Op.Dequantize op, List<HostTensor> in) {
    HostTensor x = in.get(0);
    boolean perAxis = in.get(1).rank() == 1;
    int inner = perAxis ? HostIndex.product(x.dims(), op.axis() + 1, x.rank()) : 1;
    double[] values = new double[x.size()];
    for (int i = 0; i < values.length; i++) {
      int at = perAxis ? i / inner % x.dim(op.axis()) : 0;
      values[i] = (x.longAt(i) - in.get(2).longAt(at)) * (double) in.get(1).floatAt(at);
    }
    return List.of(HostTensor.of(DType.F32, values, x.dims()));
  }
}
