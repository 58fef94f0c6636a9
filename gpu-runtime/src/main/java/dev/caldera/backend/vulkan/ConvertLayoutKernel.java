package dev.caldera.backend.vulkan;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Step;
import java.util.Optional;

/** {@link Op.ConvertLayout} of any element type; one invocation an element of the result. */
final class ConvertLayoutKernel implements VulkanKernel {

  @Override
  public String name() {
    return Op.ConvertLayout.class.getSimpleName();
  }

  /** Empty: no graph holds a conversion; planning inserts it by name. */
  @Override
  public Optional<KernelChoice> choose(Graph graph, Node node) {
    return Optional.empty();
  }

  @Override
  public StepRecorder prepare(Step step, Pipelines pipelines) {
    Operands operands = new Operands(step);
    int columns = operands.fixed(operands.input(0).columns(), "the number of columns");
    int to = width(operands.outputLayout(0));
    int invocations = Grid.elementInvocations(pipelines);
    Pipeline pipeline =
        pipelines.pipeline(
            Widths.of(Widths.CONVERT_LAYOUT, operands.inputType(0)),
            invocations,
            columns,
            width(operands.inputLayout(0)),
            to);
    long padded = to == 0 ? columns : Grid.tiles(columns, to) * to;
    return run -> {
      long rows = run.size(operands.input(0).rows());
      run.address(run.input(0)).address(run.output(0)).integer(rows);
      run.integer(operands.inputRows(0)).integer(operands.outputRows(0));
      run.dispatch(pipeline, Grid.groups(rows * padded, invocations), 1, 1);
    };
  }

  /** The width of a layout's blocks; 0 for row-major. */
  private static int width(Layout layout) {
    return layout instanceof Layout.RowMajor ? 0 : layout.blockWidth(1);
  }
}
