package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.shaders.Shader;
import dev.caldera.shaders.ShaderRegistry;
import java.util.Map;

/** {@link Op.Cast} between f32, i32, i64 and booleans; one invocation an element. */
final class CastKernel extends PlainKernel<Op.Cast> {
  private static final Map<DType, Map<DType, Shader>> SHADERS =
      Map.of(
          DType.F32,
          Map.of(
              DType.I32, ShaderRegistry.CAST_F32_I32,
              DType.I64, ShaderRegistry.CAST_F32_I64,
              DType.BOOL, ShaderRegistry.CAST_F32_BOOL),
          DType.I32,
          Map.of(
              DType.F32, ShaderRegistry.CAST_I32_F32,
              DType.I64, ShaderRegistry.CAST_I32_I64,
              DType.BOOL, ShaderRegistry.CAST_I32_BOOL),
          DType.I64,
          Map.of(
              DType.F32, ShaderRegistry.CAST_I64_F32,
              DType.I32, ShaderRegistry.CAST_I64_I32,
              DType.BOOL, ShaderRegistry.CAST_I64_BOOL),
          DType.BOOL,
          Map.of(
              DType.F32, ShaderRegistry.CAST_BOOL_F32,
              DType.I32, ShaderRegistry.CAST_BOOL_I32,
              DType.I64, ShaderRegistry.CAST_BOOL_I64));

  CastKernel() {
    super(Op.Cast.class);
  }

  @Override
  boolean takes(Node node) {
    return SHADERS
        .getOrDefault(node.input(0).type().dtype(), Map.of())
        .containsKey(node.output().type().dtype());
  }

  @Override
  StepRecorder prepare(Op.Cast op, Operands operands, Pipelines pipelines) {
    Shader shader = SHADERS.getOrDefault(operands.inputType(0), Map.of()).get(op.to());
    if (shader == null) {
      throw new IllegalStateException(
          "Cannot cast " + operands.inputType(0) + " to " + op.to() + ": no shader does");
    }
    int invocations = Grid.elementInvocations(pipelines);
    Pipeline pipeline = pipelines.pipeline(shader, invocations);
    return run -> {
      long count = run.size(operands.input(0).elements());
      run.address(run.input(0)).address(run.output(0)).integer(count);
      run.dispatch(pipeline, Grid.groups(count, invocations), 1, 1);
    };
  }
}
