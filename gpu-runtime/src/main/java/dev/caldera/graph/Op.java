package dev.caldera.graph;

import java.util.List;

/**
 * What a node computes, with its attributes; one record an op.
 *
 * <p>The first group is what formats bring; rewrites turn it into the second group, whose members
 * have tuned kernels. Shapes in the comments: B batch, S sequence, T = {@code tokens} (all tokens
 * of the packed batch), R = {@code sequences}, H hidden, K and N matrix sizes.
 */
public sealed interface Op {

  /** Pointwise function of one operand; NOT takes and gives BOOL. */
  record Unary(UnaryKind kind) implements Op {}

  /**
   * Pointwise function of two operands of one type, broadcast as NumPy does. EQUAL, LESS and
   * GREATER give BOOL; AND and OR take and give it. Division of integers truncates towards zero.
   */
  record Binary(BinaryKind kind) implements Op {}

  /** [.., M, K] x [.., K, N] -> [.., M, N]; leading dims broadcast. */
  record MatMul() implements Op {}

  /** Softmax along {@code axis} (non-negative). */
  record Softmax(int axis) implements Op {}

  /** Mean over {@code axes} (non-negative, ascending). */
  record ReduceMean(List<Integer> axes, boolean keepDims) implements Op {}

  /** Dims permuted: output dim i is input dim permutation[i]. */
  record Transpose(List<Integer> permutation) implements Op {}

  /** The same elements in another shape; a view. */
  record Reshape(Shape shape) implements Op {}

  /** Operands broadcast to {@code shape}. */
  record Expand(Shape shape) implements Op {}

  /**
   * (data, indices i32 or i64): slices of data along {@code axis} at indices; a negative index is
   * from the end. The indices' shape takes the place of the axis.
   */
  record Gather(int axis) implements Op {}

  /** Operands joined along {@code axis} (non-negative). */
  record Concat(int axis) implements Op {}

  /**
   * Elements [start, end) with a step of 1 along one axis; both are dims, so they may be symbolic.
   */
  record Slice(int axis, Dim start, Dim end) implements Op {}

  /** Converts to another element type; a float to an integer truncates towards zero. */
  record Cast(DType to) implements Op {}

  /** (condition, x, y): x where condition holds, else y; all broadcast. */
  record Where() implements Op {}

  /**
   * (x, gamma [H], beta [H]): normalises the last axis to mean 0 and variance 1, scales, shifts.
   */
  record LayerNorm(float epsilon) implements Op {}

  /** (x [.., K], weight [K, N], bias [N]) -> [.., N]: activation(x weight + bias). */
  record Linear(Activation activation) implements Op {}

  /** (x, residual, gamma [H], beta [H]): LayerNorm(x + residual). */
  record AddLayerNorm(float epsilon) implements Op {}

  /**
   * (q, k, v [B, S, heads*headSize], mask [B, S] f32 of 0 and 1) -> [B, S, heads*headSize]:
   * softmax(scale q k^T) v a head, over the keys whose mask is 1; zeros where there is none.
   */
  record MaskedAttention(int heads, int headSize, float scale) implements Op {}

  /**
   * (ids [T] i32, positions [T] i32, types [T] i32, words [V, H], positionTable [P, H], typeTable
   * [Y, H], gamma [H], beta [H]) -> [T, H]: LayerNorm(words[id] + positionTable[position] +
   * typeTable[type]).
   */
  record EmbeddingNorm(float epsilon) implements Op {}

  /**
   * (qkv [T, 3*heads*headSize], starts [R + 1] i32) -> [T, heads*headSize]: attention of each token
   * over the tokens of its own sequence. Sequence i holds rows [starts[i], starts[i + 1]); q, k and
   * v stand side by side in a row.
   */
  record PackedAttention(int heads, int headSize, float scale) implements Op {}

  /**
   * (x [T, H], starts [R + 1] i32) -> [R, H]: one vector a sequence, zeros if it has no token. To
   * normalize is to divide by the larger of the L2 norm and 1e-12.
   */
  record Pool(Pooling pooling, boolean normalize) implements Op {}

  /**
   * (x) -> x with the same type and shape in another layout. No graph holds one: planning inserts
   * it where a consumer wants a layout that the producer does not write, and the step's operands
   * tell both layouts.
   */
  record ConvertLayout() implements Op {}

  /**
   * x -> (quantized u8, scale f32 [], zeroPoint u8 []): x / scale + zeroPoint, one scale for the
   * whole tensor, taken from its range. Because that range depends on all rows together, no backend
   * runs this op: {@code DequantizeWeights} rewrites it.
   */
  record DynamicQuantize() implements Op {}

  /**
   * (a [.., M, K] u8 or i8, b [K, N] u8 or i8, aZeroPoint [], bZeroPoint [] or [N]) -> i32 [.., M,
   * N]: (a - aZeroPoint)(b - bZeroPoint). Rewritten together with {@link DynamicQuantize}.
   */
  record MatMulInteger() implements Op {}

  /**
   * (x u8 or i8, scale f32 [] or [N], zeroPoint [] or [N] of x's type) -> f32: (x - zeroPoint)
   * scale, the vectors along {@code axis} (non-negative). Folded at load: x is a constant.
   */
  record Dequantize(int axis) implements Op {}

  /** The function of a {@link Unary}. */
  enum UnaryKind {
    ERF,
    SQRT,
    TANH,
    EXP,
    NEGATE,
    RECIPROCAL,
    RELU,
    SIGMOID,
    NOT,
    GELU_ERF,
    GELU_TANH
  }

  /** The function of a {@link Binary}. */
  enum BinaryKind {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    MINIMUM,
    MAXIMUM,
    EQUAL,
    LESS,
    GREATER,
    AND,
    OR
  }

  /** How the vectors of a sequence's tokens become one. */
  enum Pooling {
    /** The mean over all tokens. */
    MEAN,
    /** The first token's vector. */
    CLS,
    /** The last token's vector. */
    LAST,
    /** The largest value of each column. */
    MAX
  }

  /** The name that descriptions and messages print: the record's own. */
  default String label() {
    return getClass().getSimpleName();
  }
}
