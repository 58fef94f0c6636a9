package dev.caldera.backend.cpu;

import dev.caldera.graph.DType;
import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.plan.KernelCatalog;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kernels of the CPU backend; a new op is added to the list below. */
final class CpuKernels implements KernelCatalog {
  private final Map<Class<? extends Op>, CpuKernel> kernels = new HashMap<>();

  private final int panel;

  private CpuKernels(int panel, List<CpuKernel> list) {
    this.panel = panel;
    list.forEach(kernel -> kernels.put(kernel.op(), kernel));
  }

  static CpuKernels of(Compute compute) {
    return new CpuKernels(
        compute.tiles().panel(),
        List.of(
            new AddLayerNormKernel(compute),
            new BinaryKernel(),
            new CastKernel(),
            new ConcatKernel(),
            new ConvertLayoutKernel(),
            new EmbeddingNormKernel(compute),
            new ExpandKernel(),
            new GatherKernel(),
            new LayerNormKernel(compute),
            new LinearKernel(compute),
            new MaskedAttentionKernel(),
            new MatMulKernel(),
            new PackedAttentionKernel(compute),
            new PoolKernel(),
            new ReduceMeanKernel(),
            new SliceKernel(),
            new SoftmaxKernel(),
            new TransposeKernel(),
            new UnaryKernel(),
            new WhereKernel()));
  }

  @Override
  public Optional<KernelChoice> choose(Graph graph, Node node) {
    CpuKernel kernel = kernels.get(node.op().getClass());
    return kernel == null ? Optional.empty() : kernel.choose(graph, node);
  }

  @Override
  public Optional<String> convert(DType dtype, Layout from, Layout to) {
    return dtype == DType.F32 && known(from) && known(to)
        ? Optional.of(ConvertLayoutKernel.NAME)
        : Optional.empty();
  }

  private boolean known(Layout layout) {
    return layout.equals(Layout.rowMajor())
        || layout.equals(Blocks.LAYOUT)
        || layout.equals(new Layout.Panels(panel));
  }

  /** The kernel of a step. */
  CpuKernel of(Step step) {
    CpuKernel kernel = kernels.get(step.op().getClass());
    if (kernel == null) {
      throw new IllegalArgumentException(
          "Cannot run node " + step.node() + ": the CPU has no kernel for op " + step.op().label());
    }
    return kernel;
  }
}
