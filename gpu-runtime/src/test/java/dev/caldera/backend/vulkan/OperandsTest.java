package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Operand;
import dev.caldera.plan.Slot;
import dev.caldera.plan.Step;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperandsTest {
  private static final Slot SLOT = new Slot(0, 0, 0);

  @Test
  void refusesMoreElementsThanAShaderCounts() {
    assertThat(new Operands(step(1 << 21, 1023, Layout.rowMajor())).inputRows(0))
        .isEqualTo(1 << 21);
    assertThatThrownBy(() -> new Operands(step(1 << 21, 1024, Layout.rowMajor())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot run Softmax at node scores: input 0 has 2147483648 elements, at most"
                + " 2147483647 would be right");
  }

  @Test
  void refusesALayoutThatTheKernelDoesNotRead() {
    Operands operands = new Operands(step(3, 5, new Layout.ColumnBlocks(8)));
    assertThatThrownBy(() -> operands.checkLayouts(List.of(Layout.rowMajor())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot run Softmax at node scores: input 0 stands in blocks of 8, row-major would be"
                + " right");
  }

  @Test
  void refusesASymbolWhereASizeIsNeeded() {
    Operands operands = new Operands(step(3, 5, Layout.rowMajor()));
    assertThat(operands.fixed(operands.input(0).columns(), "the width")).isEqualTo(5);
    assertThatThrownBy(() -> operands.fixed(operands.input(0).rows(), "the height"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot run Softmax at node scores: the height is rows, a known size would be right");
  }

  private static Step step(long rows, long columns, Layout layout) {
    Shape shape = Shape.of(Dim.symbol("rows"), Dim.fixed(columns));
    Operand operand =
        new Operand.SlotOperand("x", new TensorType(DType.F32, shape), layout, SLOT, rows, columns);
    return new Step(0, "scores", new Op.Softmax(1), "Softmax", List.of(operand), List.of(), SLOT);
  }
}
