package dev.caldera.plan;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorData;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One planning: schedules a graph's nodes, has their values placed, binds the steps to slots. */
final class Scheduler {
  private final String backend;
  private final KernelCatalog kernels;
  private final Graph graph;
  private final String model;
  private final Map<String, Long> bucket;

  /** What each value of the graph is: a constant or a tensor of the arena. */
  private final Map<String, Source> sources = new HashMap<>();

  /**
   * Tensors in a layout that their producer does not write, by producer's tensor and wanted layout.
   */
  private final Map<Source, Map<Layout, Tensor>> converted = new HashMap<>();

  /** All tensors, roots before their views. */
  private final List<Tensor> tensors = new ArrayList<>();

  private final List<Draft> drafts = new ArrayList<>();

  Scheduler(
      String backend, KernelCatalog kernels, Graph graph, String model, Map<String, Long> bucket) {
    this.backend = backend;
    this.kernels = kernels;
    this.graph = graph;
    this.model = model;
    this.bucket = bucket;
  }

  ExecutionPlan schedule(MemoryPlanner planner) {
    for (Value input : graph.inputs()) {
      sources.put(input.name(), tensor(input.name(), input.type(), Layout.rowMajor()));
    }
    graph
        .constants()
        .forEach((value, data) -> sources.put(value.name(), new Constant(value, data)));
    graph.nodes().forEach(this::schedule);
    Map<String, Tensor> outputs = new LinkedHashMap<>();
    for (Value output : graph.outputs()) {
      outputs.put(output.name(), output(output));
    }
    int end = Math.max(0, drafts.size() - 1);
    outputs.values().forEach(tensor -> tensor.last = end);
    long scratch = drafts.stream().mapToLong(Draft::scratchBytes).max().orElse(0);
    MemoryPlan memory = planner.plan(tensors.stream().map(Tensor::live).toList(), scratch);
    return bind(memory, outputs);
  }

  private void schedule(Node node) {
    OptionalLong offset = Views.offset(node);
    if (offset.isPresent()) {
      sources.put(node.output().name(), view(node, offset.getAsLong()));
      return;
    }
    KernelChoice choice = choose(node);
    List<Planned> inputs = new ArrayList<>();
    for (int i = 0; i < node.inputs().size(); i++) {
      inputs.add(operand(node, node.input(i), choice.inputs().get(i)));
    }
    int index = drafts.size();
    inputs.forEach(input -> input.usedAt(index));
    List<Planned> outputs = new ArrayList<>();
    for (int i = 0; i < node.outputs().size(); i++) {
      Value value = node.outputs().get(i);
      Tensor tensor = tensor(value.name(), value.type(), choice.outputs().get(i));
      sources.put(value.name(), tensor);
      outputs.add(tensor);
    }
    long scratch = choice.scratchBytes().applyAsLong(bucket);
    drafts.add(new Draft(node.name(), node.op(), choice.kernel(), inputs, outputs, scratch));
  }

  private KernelChoice choose(Node node) {
    KernelChoice choice =
        kernels
            .choose(graph, node)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        String.format(
                            "Cannot plan node %s of graph %s: the %s backend has no kernel for op"
                                + " %s of %s",
                            node.name(), graph.name(), backend, node.op().label(), node.inputs())));
    if (choice.inputs().size() != node.inputs().size()
        || choice.outputs().size() != node.outputs().size()) {
      throw new IllegalStateException(
          String.format(
              "Cannot plan node %s: kernel %s tells %d and %d layouts for %d inputs and %d outputs",
              node.name(),
              choice.kernel(),
              choice.inputs().size(),
              choice.outputs().size(),
              node.inputs().size(),
              node.outputs().size()));
    }
    return choice;
  }

  private Source view(Node node, long offset) {
    Value output = node.output();
    Source source = source(node.input(0));
    if (source instanceof Constant constant) {
      long bytes = output.type().bytes(bucket);
      return new Constant(output, TensorDataRange.of(constant.data(), offset, bytes));
    }
    Tensor parent = (Tensor) source;
    if (!Views.isIdentity(node)) {
      parent = inLayout(node.name(), parent, Layout.rowMajor());
    }
    Tensor view = new Tensor(output.name(), output.type(), parent.layout, parent, offset);
    tensors.add(view);
    return view;
  }

  private Planned operand(Node node, Value value, Layout layout) {
    Source source = source(value);
    if (source instanceof Constant constant) {
      return new Weight(
          new Operand.WeightOperand(
              new WeightKey(model, constant.value().name(), layout), value.type(), layout),
          constant.data());
    }
    return inLayout(node.name(), (Tensor) source, layout);
  }

  private Tensor output(Value output) {
    if (!(source(output) instanceof Tensor tensor)) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot plan output %s of graph %s: it is a constant, not computed",
              output.name(), graph.name()));
    }
    return inLayout("output " + output.name(), tensor, Layout.rowMajor());
  }

  private Tensor inLayout(String node, Tensor tensor, Layout layout) {
    if (tensor.layout.equals(layout)) {
      return tensor;
    }
    return converted
        .computeIfAbsent(tensor, t -> new HashMap<>())
        .computeIfAbsent(layout, l -> convert(node, tensor, l));
  }

  private Tensor convert(String node, Tensor tensor, Layout layout) {
    String kernel =
        kernels
            .convert(tensor.type.dtype(), tensor.layout, layout)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        String.format(
                            "Cannot plan node %s of graph %s: it reads %s in %s, which stands in"
                                + " %s, and the %s backend has no kernel to convert",
                            node, graph.name(), tensor.name, layout, tensor.layout, backend)));
    tensor.usedAt(drafts.size());
    Tensor target = tensor(tensor.name + " as " + layout, tensor.type, layout);
    drafts.add(
        new Draft(
            target.name, new Op.ConvertLayout(), kernel, List.of(tensor), List.of(target), 0));
    return target;
  }

  private Source source(Value value) {
    Source source = sources.get(value.name());
    if (source == null) {
      throw new IllegalStateException(
          "Cannot plan graph " + graph.name() + ": " + value.name() + " is not defined");
    }
    return source;
  }

  /** A tensor with room of its own, written by the step that comes next. */
  private Tensor tensor(String name, TensorType type, Layout layout) {
    Tensor tensor = new Tensor(name, type, layout, null, 0);
    tensors.add(tensor);
    return tensor;
  }

  private ExecutionPlan bind(MemoryPlan memory, Map<String, Tensor> outputs) {
    List<Step> steps = new ArrayList<>();
    Map<Operand.WeightOperand, TensorData> weights = new LinkedHashMap<>();
    for (Draft draft : drafts) {
      draft.inputs().stream()
          .filter(Weight.class::isInstance)
          .map(Weight.class::cast)
          .forEach(weight -> weights.put(weight.operand(), weight.data()));
      Slot zone = memory.scratch();
      steps.add(
          new Step(
              steps.size(),
              draft.node(),
              draft.op(),
              draft.kernel(),
              draft.inputs().stream().map(planned -> planned.bind(memory)).toList(),
              draft.outputs().stream().map(planned -> planned.bind(memory)).toList(),
              new Slot(zone.chunk(), zone.offset(), draft.scratchBytes())));
    }
    Map<String, Operand.SlotOperand> inputs = new LinkedHashMap<>();
    for (Value input : graph.inputs()) {
      inputs.put(input.name(), ((Tensor) source(input)).bind(memory));
    }
    Map<String, Operand.SlotOperand> results = new LinkedHashMap<>();
    outputs.forEach((name, tensor) -> results.put(name, tensor.bind(memory)));
    return new ExecutionPlan(graph.name(), bucket, steps, inputs, results, weights, memory);
  }

  /** What a value of the graph is. */
  private sealed interface Source permits Constant, Tensor {}

  /** A weight, or a view of one. */
  private record Constant(Value value, TensorData data) implements Source {}

  /** An operand before the memory plan is made. */
  private sealed interface Planned permits Weight, Tensor {
    void usedAt(int step);

    Operand bind(MemoryPlan memory);
  }

  private record Weight(Operand.WeightOperand operand, TensorData data) implements Planned {
    @Override
    public void usedAt(int step) {}

    @Override
    public Operand bind(MemoryPlan memory) {
      return operand;
    }
  }

  private record Draft(
      String node,
      Op op,
      String kernel,
      List<? extends Planned> inputs,
      List<? extends Planned> outputs,
      long scratchBytes) {}

  /** A value of the arena, with the steps at which it is live; compared by identity. */
  private final class Tensor implements Source, Planned {
    final String name;
    final TensorType type;
    final Layout layout;
    final @Nullable Tensor parent;
    final long offset;
    final long rows;
    final long columns;
    final int first;
    int last;

    Tensor(String name, TensorType type, Layout layout, @Nullable Tensor parent, long offset) {
      Shape shape = type.shape();
      this.name = name;
      this.type = type;
      this.layout = layout;
      this.parent = parent;
      this.offset = offset;
      this.rows = shape.rows().evaluate(bucket);
      this.columns = shape.columns().evaluate(bucket);
      this.first = parent == null ? drafts.size() : parent.first;
      this.last = first;
    }

    @Override
    public void usedAt(int step) {
      last = Math.max(last, step);
    }

    LiveValue live() {
      long bytes = layout.bytes(type.dtype(), rows, columns);
      return parent == null
          ? LiveValue.root(name, bytes, first, last)
          : LiveValue.view(name, bytes, first, last, parent.name, offset);
    }

    @Override
    public Operand.SlotOperand bind(MemoryPlan memory) {
      return new Operand.SlotOperand(name, type, layout, memory.slot(name), rows, columns);
    }
  }
}
