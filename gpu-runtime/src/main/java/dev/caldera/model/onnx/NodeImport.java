package dev.caldera.model.onnx;

import dev.caldera.graph.Dim;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One node being imported: its operands, its attributes, and where its results go. An attribute
 * that no importer asks for is an error when the node is {@link #finish}ed.
 */
final class NodeImport {

  private final OnnxNode node;
  private final GraphImport graph;
  private final Set<String> readAttributes = new HashSet<>();

  NodeImport(OnnxNode node, GraphImport graph) {
    this.node = node;
    this.graph = graph;
  }

  OnnxNode node() {
    return node;
  }

  int opset() {
    return graph.opset();
  }

  /** The number of operands written in the file, left out ones counted. */
  int inputs() {
    return node.inputs().size();
  }

  /** Operand {@code index}, which must be there. */
  Operand input(int index) {
    return optionalInput(index).orElseThrow(() -> error("operand " + index + " is missing"));
  }

  /** Operand {@code index}; empty if it is left out. */
  Optional<Operand> optionalInput(int index) {
    if (index >= inputs() || node.inputs().get(index).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(graph.operand(node, node.inputs().get(index)));
  }

  /** The integers of an operand that must be known when loading. */
  List<Dim> known(int index) {
    return knownTensor(index).elements();
  }

  /** An operand that must be known when loading. */
  SymbolicTensor knownTensor(int index) {
    return graph
        .known(input(index))
        .orElseThrow(
            () ->
                error(
                    "operand "
                        + index
                        + " ("
                        + node.inputs().get(index)
                        + ") must be known when loading, but it is computed at run time"));
  }

  /** The numbers of an operand that must be known and not symbolic. */
  List<Long> numbers(int index) {
    return known(index).stream().map(dim -> number(index, dim)).toList();
  }

  private Long number(int index, Dim dim) {
    if (dim instanceof Dim.Fixed fixed) {
      return fixed.size();
    }
    throw error("operand " + index + " must be a number, not " + dim);
  }

  Optional<OnnxAttribute> attribute(String name) {
    readAttributes.add(name);
    Optional<OnnxAttribute> attribute = Optional.ofNullable(node.attributes().get(name));
    if (attribute.isPresent() && attribute.get().other()) {
      throw error("attribute " + name + " holds a kind of value that is not supported");
    }
    return attribute;
  }

  long integer(String name, long otherwise) {
    return attribute(name).map(OnnxAttribute::integer).orElse(otherwise);
  }

  float decimal(String name, float otherwise) {
    return attribute(name).map(OnnxAttribute::decimal).orElse(otherwise);
  }

  Optional<List<Long>> integers(String name) {
    return attribute(name).map(OnnxAttribute::integers);
  }

  /** An axis attribute made non-negative. */
  int axis(String name, long otherwise, int rank) {
    return axis(integer(name, otherwise), rank);
  }

  /** A possibly negative axis made non-negative. */
  int axis(long axis, int rank) {
    long positive = axis < 0 ? axis + rank : axis;
    if (positive < 0 || positive >= rank) {
      throw error("axis " + axis + " is not an axis of rank " + rank);
    }
    return (int) positive;
  }

  /** Refuses an attribute that is not as {@code supported} says. */
  void require(boolean holds, String supported) {
    if (!holds) {
      throw error(supported);
    }
  }

  /** Applies an op under this node's name and returns its result, folded if it can be. */
  Operand apply(Op op, Operand... operands) {
    return graph.apply(this, op, Arrays.asList(operands)).get(0);
  }

  /** Applies an op of several outputs. */
  List<Operand> applyAll(Op op, Operand... operands) {
    return graph.apply(this, op, Arrays.asList(operands));
  }

  /** {@code operand} in another shape; itself if it has it. */
  Operand reshape(Operand operand, Shape shape) {
    return operand.type().shape().equals(shape) ? operand : apply(new Op.Reshape(shape), operand);
  }

  /** Integers that this node makes known. */
  Operand known(SymbolicTensor tensor) {
    return new Operand.Known(graph.newName(node.name()), tensor);
  }

  /** A constant that the file does not have. */
  Operand constant(HostTensor tensor) {
    return new Operand.Constant(
        graph.newName(node.name() + ".constant"), tensor.type(), tensor.toData());
  }

  /** Makes {@code result} what the node's single output stands for. */
  void result(Operand result) {
    results(List.of(result));
  }

  /** Makes {@code results} what the node's outputs stand for. */
  void results(List<Operand> results) {
    for (int i = 0; i < node.outputs().size(); i++) {
      if (i < results.size()) {
        graph.define(node, node.outputs().get(i), results.get(i));
      } else if (!node.outputs().get(i).isEmpty()) {
        throw error("output " + i + " (" + node.outputs().get(i) + ") is not supported");
      }
    }
  }

  /** Loads a tensor attribute. */
  Operand load(OnnxTensor tensor) {
    return graph.load(graph.newName(node.name()), tensor);
  }

  TensorType type(int index) {
    return input(index).type();
  }

  void finish() {
    for (String name : node.attributes().keySet()) {
      if (!readAttributes.contains(name)) {
        throw error("attribute " + name + " is not supported");
      }
    }
  }

  OnnxException error(String reason) {
    return graph.error(node, reason);
  }
}
