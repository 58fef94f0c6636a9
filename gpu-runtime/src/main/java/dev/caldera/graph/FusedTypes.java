package dev.caldera.graph;

import java.util.ArrayList;
import java.util.List;

/** Type rules of the ops that rewrites make. */
final class FusedTypes {

  private FusedTypes() {}

  static void register(TypeInference.Registry registry) {
    registry.add(Op.LayerNorm.class, (op, in) -> layerNorm(in));
    registry.add(Op.AddLayerNorm.class, (op, in) -> addLayerNorm(in));
    registry.add(Op.Linear.class, (op, in) -> linear(in));
    registry.add(Op.MaskedAttention.class, FusedTypes::maskedAttention);
    registry.add(Op.EmbeddingNorm.class, (op, in) -> embeddingNorm(in));
    registry.add(Op.PackedAttention.class, FusedTypes::packedAttention);
    registry.add(Op.Pool.class, (op, in) -> pool(in));
    registry.add(Op.ConvertLayout.class, (op, in) -> in);
  }

  private static List<TensorType> layerNorm(List<TensorType> in) {
    Checks.count(in, 3);
    Checks.sameType(in);
    Checks.isFloat(in.get(0), "its operands");
    Dim width = in.get(0).shape().dim(-1);
    Checks.shape(in.get(1), "gamma", width);
    Checks.shape(in.get(2), "beta", width);
    return List.of(in.get(0));
  }

  private static List<TensorType> addLayerNorm(List<TensorType> in) {
    Checks.count(in, 4);
    if (!in.get(0).equals(in.get(1))) {
      throw new IllegalArgumentException("x and the residual must be of one type");
    }
    return layerNorm(List.of(in.get(0), in.get(2), in.get(3)));
  }

  private static List<TensorType> linear(List<TensorType> in) {
    Checks.count(in, 3);
    Checks.sameType(in);
    Checks.isFloat(in.get(0), "its operands");
    Shape x = in.get(0).shape();
    Checks.rank(in.get(1), 2, "the weight");
    Shape weight = in.get(1).shape();
    if (!x.dim(-1).equals(weight.dim(0))) {
      throw new IllegalArgumentException(
          "inner dims " + x.dim(-1) + " and " + weight.dim(0) + " differ");
    }
    Checks.shape(in.get(2), "the bias", weight.dim(1));
    List<Dim> dims = new ArrayList<>(x.dims());
    dims.set(x.rank() - 1, weight.dim(1));
    return List.of(new TensorType(in.get(0).dtype(), new Shape(dims)));
  }

  private static List<TensorType> maskedAttention(Op.MaskedAttention op, List<TensorType> in) {
    Checks.count(in, 4);
    Checks.sameType(in.subList(0, 3));
    Checks.isFloat(in.get(0), "q, k and v");
    Checks.rank(in.get(0), 3, "q");
    Dim batch = in.get(0).shape().dim(0);
    Dim sequence = in.get(0).shape().dim(1);
    Dim width = Dim.fixed(Math.multiplyExact((long) op.heads(), op.headSize()));
    for (int i = 0; i < 3; i++) {
      Checks.shape(in.get(i), List.of("q", "k", "v").get(i), batch, sequence, width);
    }
    Checks.dtype(in.get(3), "the mask", DType.F32);
    Checks.shape(in.get(3), "the mask", batch, sequence);
    return List.of(in.get(0));
  }

  private static List<TensorType> embeddingNorm(List<TensorType> in) {
    Checks.count(in, 8);
    Checks.rank(in.get(0), 1, "ids");
    Dim tokens = in.get(0).shape().dim(0);
    for (int i = 0; i < 3; i++) {
      String what = List.of("ids", "positions", "types").get(i);
      Checks.dtype(in.get(i), what, DType.I32);
      Checks.shape(in.get(i), what, tokens);
    }
    Checks.sameType(in.subList(3, 8));
    Checks.isFloat(in.get(3), "the tables");
    for (int i = 3; i < 6; i++) {
      Checks.rank(in.get(i), 2, "each table");
    }
    Dim width = in.get(3).shape().dim(1);
    for (int i = 4; i < 6; i++) {
      Checks.shape(in.get(i), "each table", in.get(i).shape().dim(0), width);
    }
    Checks.shape(in.get(6), "gamma", width);
    Checks.shape(in.get(7), "beta", width);
    return List.of(new TensorType(in.get(3).dtype(), Shape.of(tokens, width)));
  }

  private static List<TensorType> packedAttention(Op.PackedAttention op, List<TensorType> in) {
    Checks.count(in, 2);
    Checks.isFloat(in.get(0), "qkv");
    Checks.rank(in.get(0), 2, "qkv");
    long width = Math.multiplyExact((long) op.heads(), op.headSize());
    Dim tokens = in.get(0).shape().dim(0);
    Checks.shape(in.get(0), "qkv", tokens, Dim.fixed(Math.multiplyExact(3, width)));
    checkStarts(in.get(1));
    return List.of(new TensorType(in.get(0).dtype(), Shape.of(tokens, Dim.fixed(width))));
  }

  private static List<TensorType> pool(List<TensorType> in) {
    Checks.count(in, 2);
    Checks.isFloat(in.get(0), "x");
    Checks.rank(in.get(0), 2, "x");
    checkStarts(in.get(1));
    Dim sequences = Dim.sum(in.get(1).shape().dim(0), Dim.fixed(-1));
    return List.of(
        new TensorType(in.get(0).dtype(), Shape.of(sequences, in.get(0).shape().dim(1))));
  }

  private static void checkStarts(TensorType starts) {
    Checks.dtype(starts, "starts", DType.I32);
    Checks.rank(starts, 1, "starts");
  }
}
