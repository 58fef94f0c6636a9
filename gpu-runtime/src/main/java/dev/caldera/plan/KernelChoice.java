package dev.caldera.plan;

import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * A kernel's wishes for one node.
 *
 * @param kernel its name in descriptions and profiles
 * @param inputs the layout of each input (of a constant: the layout in which it is prepacked)
 * @param outputs the layout of each output
 * @param scratchBytes bytes of scratch under a bucket's bindings (symbol to size)
 */
public record KernelChoice(
    String kernel,
    List<Layout> inputs,
    List<Layout> outputs,
    ToLongFunction<Map<String, Long>> scratchBytes) {

  public KernelChoice {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }
}
