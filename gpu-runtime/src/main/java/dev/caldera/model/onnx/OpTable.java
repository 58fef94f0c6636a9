package dev.caldera.model.onnx;

import dev.caldera.graph.Op.BinaryKind;
import dev.caldera.graph.Op.UnaryKind;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Every ONNX op that can be imported, with the first opset that has it. All are supported up to
 * opset {@link #LAST_OPSET}; where an op's attributes became operands in between, its importer
 * reads both forms.
 */
final class OpTable {

  /** The first opset that can be imported. */
  static final int FIRST_OPSET = 9;

  /** The last opset that can be imported. */
  static final int LAST_OPSET = 21;

  private static final Map<String, Entry> ENTRIES = entries();

  private OpTable() {}

  private record Entry(int since, OpImporter importer) {}

  private static Map<String, Entry> entries() {
    Map<String, Entry> table = new TreeMap<>();
    table.put("Add", new Entry(7, new BinaryImporter(BinaryKind.ADD)));
    table.put("And", new Entry(7, new BinaryImporter(BinaryKind.AND)));
    table.put("Cast", new Entry(9, new CastImporter()));
    table.put("Concat", new Entry(4, new ConcatImporter()));
    table.put("Constant", new Entry(1, new ConstantImporter()));
    table.put("ConstantOfShape", new Entry(9, new ConstantOfShapeImporter()));
    table.put("DequantizeLinear", new Entry(10, new DequantizeLinearImporter()));
    table.put("Div", new Entry(7, new BinaryImporter(BinaryKind.DIVIDE)));
    table.put("Dropout", new Entry(7, new DropoutImporter()));
    table.put("DynamicQuantizeLinear", new Entry(11, new DynamicQuantizeLinearImporter()));
    table.put("Equal", new Entry(7, new BinaryImporter(BinaryKind.EQUAL)));
    table.put("Erf", new Entry(9, new UnaryImporter(UnaryKind.ERF)));
    table.put("Exp", new Entry(6, new UnaryImporter(UnaryKind.EXP)));
    table.put("Expand", new Entry(8, new ExpandImporter()));
    table.put("Flatten", new Entry(9, new FlattenImporter()));
    table.put("Gather", new Entry(1, new GatherImporter()));
    table.put("Gelu", new Entry(20, new GeluImporter()));
    table.put("Gemm", new Entry(9, new GemmImporter()));
    table.put("Greater", new Entry(9, new BinaryImporter(BinaryKind.GREATER)));
    table.put("GreaterOrEqual", new Entry(12, new NegatedImporter(BinaryKind.LESS)));
    table.put("Identity", new Entry(1, new IdentityImporter()));
    table.put("LayerNormalization", new Entry(17, new LayerNormalizationImporter()));
    table.put("Less", new Entry(9, new BinaryImporter(BinaryKind.LESS)));
    table.put("LessOrEqual", new Entry(12, new NegatedImporter(BinaryKind.GREATER)));
    table.put("MatMul", new Entry(9, new MatMulImporter()));
    table.put("MatMulInteger", new Entry(10, new MatMulIntegerImporter()));
    table.put("Max", new Entry(8, new BinaryImporter(BinaryKind.MAXIMUM)));
    table.put("Min", new Entry(8, new BinaryImporter(BinaryKind.MINIMUM)));
    table.put("Mul", new Entry(7, new BinaryImporter(BinaryKind.MULTIPLY)));
    table.put("Neg", new Entry(6, new UnaryImporter(UnaryKind.NEGATE)));
    table.put("Not", new Entry(1, new UnaryImporter(UnaryKind.NOT)));
    table.put("Or", new Entry(7, new BinaryImporter(BinaryKind.OR)));
    table.put("Pow", new Entry(7, new PowImporter()));
    table.put("Range", new Entry(11, new RangeImporter()));
    table.put("Reciprocal", new Entry(6, new UnaryImporter(UnaryKind.RECIPROCAL)));
    table.put("ReduceMean", new Entry(1, new ReduceMeanImporter()));
    table.put("Relu", new Entry(6, new UnaryImporter(UnaryKind.RELU)));
    table.put("Reshape", new Entry(5, new ReshapeImporter()));
    table.put("Shape", new Entry(1, new ShapeImporter()));
    table.put("Sigmoid", new Entry(6, new UnaryImporter(UnaryKind.SIGMOID)));
    table.put("Size", new Entry(1, new SizeImporter()));
    table.put("Slice", new Entry(1, new SliceImporter()));
    table.put("Softmax", new Entry(1, new SoftmaxImporter()));
    table.put("Split", new Entry(2, new SplitImporter()));
    table.put("Sqrt", new Entry(6, new UnaryImporter(UnaryKind.SQRT)));
    table.put("Squeeze", new Entry(1, new SqueezeImporter()));
    table.put("Sub", new Entry(7, new BinaryImporter(BinaryKind.SUBTRACT)));
    table.put("Tanh", new Entry(6, new UnaryImporter(UnaryKind.TANH)));
    table.put("Transpose", new Entry(1, new TransposeImporter()));
    table.put("Unsqueeze", new Entry(1, new UnsqueezeImporter()));
    table.put("Where", new Entry(9, new WhereImporter()));
    return table;
  }

  /**
   * The importer of a node's op.
   *
   * @throws OnnxException naming node, op and opset, and what is supported, if there is none
   */
  static OpImporter find(OnnxNode node, int opset, Path file) {
    Entry entry = node.domain().isEmpty() ? ENTRIES.get(node.opType()) : null;
    if (entry == null) {
      String op = node.domain().isEmpty() ? node.opType() : node.domain() + "." + node.opType();
      throw new OnnxException(
          "Cannot import node "
              + node.name()
              + " of "
              + file
              + ": op "
              + op
              + " at opset "
              + opset
              + " is not supported; supported are "
              + String.join(", ", ENTRIES.keySet()));
    }
    if (opset < entry.since()) {
      throw new OnnxException(
          "Cannot import node "
              + node.name()
              + " of "
              + file
              + ": op "
              + node.opType()
              + " is of opset "
              + entry.since()
              + " and newer, but the model is of opset "
              + opset);
    }
    return entry.importer();
  }
}
