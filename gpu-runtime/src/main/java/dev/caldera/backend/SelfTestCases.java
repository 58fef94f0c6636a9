package dev.caldera.backend;

import dev.caldera.graph.Activation;
import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The cases of {@link KernelSelfTest}: every op with every variant that has code of its own. */
final class SelfTestCases {
  private static final float EPSILON = 1e-6f;
  private static final int SEED = 20_261_130;

  private final Random random = new Random(SEED);
  private final List<Case> cases = new ArrayList<>();

  private SelfTestCases() {}

  /**
   * One op over given operands.
   *
   * @param weights indices of the operands that are constants
   */
  record Case(String label, Op op, List<HostTensor> operands, Set<Integer> weights) {
    Case {
      operands = List.copyOf(operands);
      weights = Set.copyOf(weights);
    }
  }

  /** All cases; the same in every run. */
  static List<Case> all() {
    SelfTestCases made = new SelfTestCases();
    made.pointwise();
    made.movement();
    made.matrices();
    made.encoder();
    return List.copyOf(made.cases);
  }

  private void pointwise() {
    for (Op.UnaryKind kind : Op.UnaryKind.values()) {
      HostTensor operand = kind == Op.UnaryKind.NOT ? bools(5, 7) : unaryOperand(kind);
      add("Unary " + kind, new Op.Unary(kind), operand);
    }
    for (Op.BinaryKind kind : Op.BinaryKind.values()) {
      boolean logical = kind == Op.BinaryKind.AND || kind == Op.BinaryKind.OR;
      HostTensor left = logical ? bools(4, 1, 6) : positive(4, 1, 6);
      HostTensor right = logical ? bools(3, 6) : positive(3, 6);
      add("Binary " + kind, new Op.Binary(kind), left, right);
    }
    add("Where", new Op.Where(), bools(4, 1), normal(4, 5), normal(5));
    add("Cast", new Op.Cast(DType.I32), normal(3, 9));
    add("Expand", new Op.Expand(Shape.fixed(3, 4, 5)), normal(4, 1));
  }

  private HostTensor unaryOperand(Op.UnaryKind kind) {
    boolean needsPositive = kind == Op.UnaryKind.SQRT || kind == Op.UnaryKind.RECIPROCAL;
    return needsPositive ? positive(5, 33) : normal(5, 33);
  }

  private void movement() {
    add("Transpose", new Op.Transpose(List.of(2, 0, 1)), normal(3, 4, 5));
    add("Concat", new Op.Concat(1), normal(3, 4), normal(3, 2));
    add("Slice", new Op.Slice(1, Dim.fixed(2), Dim.fixed(6)), normal(3, 9));
    add("Gather", new Op.Gather(0), normal(9, 5), indices(9, 4));
  }

  private void matrices() {
    add("MatMul", new Op.MatMul(), normal(2, 5, 19), normal(2, 19, 21));
    add("Softmax", new Op.Softmax(1), normal(6, 37));
    add("ReduceMean", new Op.ReduceMean(List.of(1), true), normal(3, 17, 5));
    add("LayerNorm", new Op.LayerNorm(EPSILON), normal(5, 48), normal(48), normal(48));
    for (Activation activation : Activation.values()) {
      cases.add(
          new Case(
              "Linear " + activation,
              new Op.Linear(activation),
              List.of(normal(37, 70), normal(70, 90), normal(90)),
              Set.of(1, 2)));
    }
  }

  private void encoder() {
    add(
        "AddLayerNorm",
        new Op.AddLayerNorm(EPSILON),
        normal(5, 48),
        normal(5, 48),
        normal(48),
        normal(48));
    cases.add(
        new Case(
            "EmbeddingNorm",
            new Op.EmbeddingNorm(EPSILON),
            List.of(
                indices(20, 11),
                indices(16, 11),
                indices(2, 11),
                normal(20, 48),
                normal(16, 48),
                normal(2, 48),
                normal(48),
                normal(48)),
            Set.of(3, 4, 5, 6, 7)));
    HostTensor starts = HostTensor.ints(new int[] {0, 1, 9, 20}, 4);
    add("PackedAttention", new Op.PackedAttention(2, 32, 0.2f), normal(20, 192), starts);
    add(
        "MaskedAttention",
        new Op.MaskedAttention(2, 32, 0.2f),
        normal(2, 7, 64),
        normal(2, 7, 64),
        normal(2, 7, 64),
        HostTensor.floats(new float[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0}, 2, 7));
    for (Op.Pooling pooling : Op.Pooling.values()) {
      add("Pool " + pooling, new Op.Pool(pooling, true), normal(20, 48), starts);
    }
  }

  private void add(String label, Op op, HostTensor... operands) {
    cases.add(new Case(label, op, List.of(operands), Set.of()));
  }

  private HostTensor normal(long... dims) {
    float[] values = new float[count(dims)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return HostTensor.floats(values, dims);
  }

  private HostTensor positive(long... dims) {
    float[] values = new float[count(dims)];
    for (int i = 0; i < values.length; i++) {
      values[i] = 0.5f + random.nextInt(8) * 0.25f;
    }
    return HostTensor.floats(values, dims);
  }

  private HostTensor bools(long... dims) {
    long[] values = new long[count(dims)];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(2);
    }
    return HostTensor.integers(DType.BOOL, values, dims);
  }

  private HostTensor indices(int limit, int size) {
    int[] values = new int[size];
    for (int i = 0; i < size; i++) {
      values[i] = random.nextInt(limit);
    }
    return HostTensor.ints(values, size);
  }

  private static int count(long[] dims) {
    int count = 1;
    for (long dim : dims) {
      count *= Math.toIntExact(dim);
    }
    return count;
  }
}
