package dev.caldera.model.onnx;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorData;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A file's graph being turned into a {@link Graph}, node by node in the file's order, which is
 * topological.
 *
 * <p>Each name of the file stands for an {@link Operand}. A node over integers that are known when
 * loading is folded exactly ({@link ShapeArithmetic}), so no shape arithmetic is left; a node over
 * small constants is evaluated; every other becomes nodes of the graph.
 */
final class GraphImport {

  /** Tensors up to this size are folded while importing; larger constants by a rewrite. */
  private static final long MAX_FOLDED_ELEMENTS = 1 << 16;

  private final Path file;
  private final int opset;
  private final TensorLoader loader;
  private final GraphBuilder builder;
  private final Map<String, Operand> operands = new HashMap<>();
  private final Map<String, Value> constants = new HashMap<>();
  private final Set<String> names = new HashSet<>();

  GraphImport(Path file, String name, int opset) {
    this.file = file;
    this.opset = opset;
    this.loader = new TensorLoader(file);
    this.builder = new GraphBuilder(name);
  }

  int opset() {
    return opset;
  }

  Graph run(OnnxFile model) {
    model.outputs().forEach(output -> names.add(output.name()));
    for (OnnxTensor initializer : model.initializers()) {
      define(initializer.name(), load(initializer.name(), initializer));
    }
    for (OnnxValueInfo input : model.inputs()) {
      if (!operands.containsKey(input.name())) {
        define(input.name(), new Operand.Runtime(builder.input(input.name(), type(input))));
      }
    }
    for (OnnxNode node : model.nodes()) {
      run(node);
    }
    List<Value> outputs = model.outputs().stream().map(o -> output(o.name())).toList();
    outputs.forEach(builder::output);
    Graph graph = builder.build();
    for (int i = 0; i < outputs.size(); i++) {
      graph = rename(graph, outputs.get(i), model.outputs().get(i).name());
    }
    return graph;
  }

  private Graph rename(Graph graph, Value output, String name) {
    try {
      return output.name().equals(name) ? graph : graph.renameOutput(output, name);
    } catch (IllegalArgumentException e) {
      throw new OnnxException("Cannot import " + file + ": " + e.getMessage(), e);
    }
  }

  private void run(OnnxNode node) {
    NodeImport imported = new NodeImport(node, this);
    OpImporter importer = OpTable.find(node, opset, file);
    try {
      importer.run(imported);
      imported.finish();
    } catch (OnnxException e) {
      throw e;
    } catch (IllegalArgumentException | ArithmeticException | IndexOutOfBoundsException e) {
      throw new OnnxException(message(node, String.valueOf(e.getMessage())), e);
    }
  }

  private TensorType type(OnnxValueInfo input) {
    if (!input.isTensor() || !input.hasShape()) {
      throw new OnnxException(
          "Cannot import input "
              + input.name()
              + " of "
              + file
              + ": it must be a tensor of known rank");
    }
    List<Dim> dims = new ArrayList<>();
    for (int i = 0; i < input.dims().size(); i++) {
      dims.add(dim(input, i));
    }
    return new TensorType(
        OnnxTypes.dtype(input.dataType(), () -> "input " + input.name() + " of " + file),
        new Shape(dims));
  }

  private Dim dim(OnnxValueInfo input, int index) {
    String size = input.dims().get(index);
    if (!size.matches("-?[0-9]+")) {
      return Dim.symbol(size.isEmpty() ? input.name() + "_dim" + index : size);
    }
    try {
      long number = Long.parseLong(size);
      if (number >= 0) {
        return Dim.fixed(number);
      }
    } catch (NumberFormatException e) {
      throw new OnnxException(badDim(input, size), e);
    }
    throw new OnnxException(badDim(input, size));
  }

  private String badDim(OnnxValueInfo input, String size) {
    return "Cannot import input "
        + input.name()
        + " of "
        + file
        + ": dim "
        + size
        + " is not valid";
  }

  private Value output(String name) {
    Operand operand = operands.get(name);
    if (operand == null) {
      throw new OnnxException(
          "Cannot import " + file + ": output " + name + " is computed by no node");
    }
    return value(operand, "output " + name);
  }

  /** What {@code name} stands for. */
  Operand operand(OnnxNode node, String name) {
    Operand operand = operands.get(name);
    if (operand == null) {
      throw error(node, "operand " + name + " is not defined before it");
    }
    return operand;
  }

  void define(OnnxNode node, String name, Operand operand) {
    if (operands.containsKey(name)) {
      throw error(node, "its output " + name + " is defined twice");
    }
    operands.put(name, operand);
  }

  private void define(String name, Operand operand) {
    if (operands.put(name, operand) != null) {
      throw new OnnxException("Cannot import " + file + ": " + name + " is defined twice");
    }
    names.add(name);
  }

  Operand load(String name, OnnxTensor tensor) {
    TensorLoader.LoadedTensor loaded = loader.load(tensor);
    return new Operand.Constant(name, loaded.type(), loaded.data());
  }

  /** A name that no value has yet: {@code wanted}, or it with a number. */
  String newName(String wanted) {
    String name = wanted;
    for (int i = 2; !names.add(name) || builder.has(name); i++) {
      name = wanted + "." + i;
    }
    return name;
  }

  /** The integers of an operand, if they are known when loading. */
  Optional<SymbolicTensor> known(Operand operand) {
    if (operand instanceof Operand.Known known) {
      return Optional.of(known.tensor());
    }
    if (operand instanceof Operand.Constant constant
        && !constant.type().dtype().isFloat()
        && isSmall(constant.type())) {
      return Optional.of(SymbolicTensor.of(HostTensor.read(constant.type(), constant.data())));
    }
    return Optional.empty();
  }

  List<Operand> apply(NodeImport node, Op op, List<Operand> inputs) {
    Optional<List<Operand>> folded = fold(node.node(), op, inputs);
    if (folded.isPresent()) {
      return folded.get();
    }
    List<Value> values =
        inputs.stream().map(o -> value(o, "an operand of node " + node.node().name())).toList();
    int outputs = op instanceof Op.DynamicQuantize ? 3 : 1;
    String name = newName(node.node().name());
    List<String> outputNames =
        IntStream.range(0, outputs)
            .mapToObj(i -> i == 0 ? name : newName(name + ".output" + i))
            .toList();
    return builder.add(name, op, values, outputNames).stream()
        .<Operand>map(Operand.Runtime::new)
        .toList();
  }

  private Optional<List<Operand>> fold(OnnxNode node, Op op, List<Operand> inputs) {
    List<Optional<SymbolicTensor>> known = inputs.stream().map(this::known).toList();
    boolean symbolic = inputs.stream().anyMatch(o -> o instanceof Operand.Known);
    if (symbolic && known.stream().allMatch(Optional::isPresent)) {
      List<SymbolicTensor> tensors = known.stream().map(Optional::orElseThrow).toList();
      Optional<SymbolicTensor> result =
          isSmallResult(op, inputs) ? ShapeArithmetic.apply(op, tensors) : Optional.empty();
      if (result.isPresent()) {
        return Optional.of(List.of(new Operand.Known(newName(node.name()), result.get())));
      }
    }
    List<HostTensor> hosts = new ArrayList<>();
    for (Operand input : inputs) {
      host(input).ifPresent(hosts::add);
    }
    if (hosts.size() < inputs.size() || !hasNumbersOnly(op) || !isSmallResult(op, inputs)) {
      return Optional.empty();
    }
    return Optional.of(
        HostEvaluator.apply(node.name(), op, Map.of(), hosts).stream()
            .<Operand>map(t -> new Operand.Constant(newName(node.name()), t.type(), t.toData()))
            .toList());
  }

  private Optional<HostTensor> host(Operand operand) {
    if (operand instanceof Operand.Constant constant && isSmall(constant.type())) {
      return Optional.of(HostTensor.read(constant.type(), constant.data()));
    }
    if (operand instanceof Operand.Known known && known.tensor().isFixed()) {
      return Optional.of(known.tensor().toHost());
    }
    return Optional.empty();
  }

  private static boolean hasNumbersOnly(Op op) {
    if (op instanceof Op.Slice slice) {
      return slice.start() instanceof Dim.Fixed && slice.end() instanceof Dim.Fixed;
    }
    if (op instanceof Op.Expand expand) {
      return expand.shape().isFixed();
    }
    return !(op instanceof Op.Reshape reshape) || reshape.shape().isFixed();
  }

  /** Whether an op that may enlarge its operands keeps the result small; the others cannot. */
  private static boolean isSmallResult(Op op, List<Operand> inputs) {
    if (op instanceof Op.Expand expand) {
      return isSmall(new TensorType(inputs.get(0).type().dtype(), expand.shape()));
    }
    long product = 1;
    for (Operand input : inputs) {
      long size = Arrays.stream(input.type().shape().evaluate(Map.of())).reduce(1, (a, b) -> a * b);
      product *= Math.max(1, Math.min(size, MAX_FOLDED_ELEMENTS + 1));
      if (product > MAX_FOLDED_ELEMENTS) {
        return op instanceof Op.Concat || inputs.size() == 1;
      }
    }
    return true;
  }

  private static boolean isSmall(TensorType type) {
    if (!type.shape().isFixed()) {
      return false;
    }
    long elements = 1;
    for (long size : type.shape().evaluate(Map.of())) {
      if (size > MAX_FOLDED_ELEMENTS) {
        return false;
      }
      elements *= size;
      if (elements > MAX_FOLDED_ELEMENTS) {
        return false;
      }
    }
    return true;
  }

  /** The operand as a value of the graph. */
  private Value value(Operand operand, String what) {
    if (operand instanceof Operand.Runtime runtime) {
      return runtime.value();
    }
    if (operand instanceof Operand.Constant constant) {
      return constant(constant.name(), constant.type(), constant.data());
    }
    Operand.Known known = (Operand.Known) operand;
    if (!known.tensor().isFixed()) {
      throw new OnnxException(
          "Cannot import "
              + file
              + ": "
              + what
              + " is "
              + known.tensor().elements()
              + ", which depends on the sizes of the batch and is not a shape");
    }
    HostTensor tensor = known.tensor().toHost();
    return constant(known.name(), tensor.type(), tensor.toData());
  }

  private Value constant(String name, TensorType type, TensorData data) {
    return constants.computeIfAbsent(name, n -> builder.constant(n, type, data));
  }

  OnnxException error(OnnxNode node, String reason) {
    return new OnnxException(message(node, reason));
  }

  private String message(OnnxNode node, String reason) {
    return "Cannot import node "
        + node.name()
        + " of "
        + file
        + ": op "
        + node.opType()
        + " at opset "
        + opset
        + ": "
        + reason;
  }
}
