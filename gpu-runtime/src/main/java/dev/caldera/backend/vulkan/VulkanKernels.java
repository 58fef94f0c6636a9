package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.plan.KernelCatalog;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Layout;
import java.util.List;
import java.util.Optional;

/**
 * All kernels of the Vulkan backend, in the order in which they are asked; the first that takes a
 * node runs it.
 */
final class VulkanKernels implements KernelCatalog {
  private static final VulkanKernel CONVERT_LAYOUT = new ConvertLayoutKernel();

  private static final List<VulkanKernel> KERNELS =
      List.of(
          new EmbeddingNormKernel(),
          new LinearKernel(),
          new PackedAttentionKernel(),
          new AddLayerNormKernel(),
          new LayerNormKernel(),
          new PoolKernel(),
          new MaskedAttentionKernel(),
          new MatMulKernel(),
          new SoftmaxKernel(),
          new ReduceMeanKernel(),
          new UnaryKernel(),
          new BinaryKernel(),
          new WhereKernel(),
          new CastKernel(),
          new GatherKernel(),
          new ConcatKernel(),
          new SliceKernel(),
          new TransposeKernel(),
          new ExpandKernel(),
          CONVERT_LAYOUT);

  @Override
  public Optional<KernelChoice> choose(Graph graph, Node node) {
    return KERNELS.stream().flatMap(kernel -> kernel.choose(graph, node).stream()).findFirst();
  }

  @Override
  public Optional<String> convert(DType dtype, Layout from, Layout to) {
    return Optional.of(CONVERT_LAYOUT.name());
  }

  /**
   * The kernel of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  VulkanKernel kernel(String name) {
    return KERNELS.stream()
        .filter(kernel -> kernel.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Cannot run kernel "
                        + name
                        + ": the Vulkan backend has no kernel of that name"));
  }
}
