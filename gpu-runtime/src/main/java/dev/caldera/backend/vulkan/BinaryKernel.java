package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.shaders.Shader;
import dev.caldera.shaders.ShaderRegistry;
import java.util.Map;

/** {@link Op.Binary} of f32, i32, i64 and boolean tensors; one invocation an element. */
final class BinaryKernel extends PlainKernel<Op.Binary> {
  private static final Map<DType, Shader> ARITHMETIC =
      Map.of(
          DType.F32, ShaderRegistry.BINARY_F32,
          DType.I32, ShaderRegistry.BINARY_I32,
          DType.I64, ShaderRegistry.BINARY_I64);
  private static final Map<DType, Shader> COMPARISONS =
      Map.of(
          DType.F32, ShaderRegistry.BINARY_F32_BOOL,
          DType.I32, ShaderRegistry.BINARY_I32_BOOL,
          DType.I64, ShaderRegistry.BINARY_I64_BOOL,
          DType.BOOL, ShaderRegistry.BINARY_BOOL);

  BinaryKernel() {
    super(Op.Binary.class);
  }

  @Override
  boolean takes(Node node) {
    DType type = node.input(0).type().dtype();
    return node.input(1).type().dtype() == type
        && shaders(node.output().type().dtype()).containsKey(type);
  }

  private static Map<DType, Shader> shaders(DType result) {
    return result == DType.BOOL ? COMPARISONS : ARITHMETIC;
  }

  @Override
  StepRecorder prepare(Op.Binary op, Operands operands, Pipelines pipelines) {
    Shader shader = shaders(operands.outputType(0)).get(operands.inputType(0));
    if (shader == null) {
      throw new IllegalStateException(
          "Cannot run " + op + " on " + operands.inputType(0) + ": no shader takes it");
    }
    int invocations = Grid.elementInvocations(pipelines);
    Pipeline pipeline = pipelines.pipeline(shader, invocations, op.kind().ordinal());
    return run -> {
      long[] dims = StepShapes.dims(run, operands.output(0));
      StridedWalk walk =
          new StridedWalk(
              dims,
              StridedWalk.broadcast(StepShapes.dims(run, operands.input(0)), dims.length),
              StridedWalk.broadcast(StepShapes.dims(run, operands.input(1)), dims.length));
      run.address(run.input(0)).address(run.input(1)).address(run.output(0));
      walk.push(run);
      run.dispatch(pipeline, Grid.groups(walk.count(), invocations), 1, 1);
    };
  }
}
