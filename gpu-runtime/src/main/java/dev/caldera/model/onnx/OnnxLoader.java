package dev.caldera.model.onnx;

import dev.caldera.graph.Graph;
import dev.caldera.graph.MappedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads an ONNX model as a graph of primitive ops with symbolic dims, all integer shape arithmetic
 * folded.
 *
 * <p>Supported: opset 9 to 21, the ops of {@link OpTable}, element types FLOAT, INT64, INT32, INT8,
 * UINT8 and BOOL, initializers in the file or in external files beside it. Weights stay in the
 * mapped files. Everything else is an {@link OnnxException} at load.
 */
public final class OnnxLoader {

  private OnnxLoader() {}

  /**
   * Loads a model.
   *
   * @param file the model; external data lies in its folder
   * @throws OnnxException if it cannot be read, is damaged, or holds what is not supported
   */
  public static Graph load(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new OnnxException("Cannot load ONNX model " + file + ": there is no such file");
    }
    OnnxFile model = OnnxFileReader.read(map(file));
    long opset = model.opsets().getOrDefault("", 0L);
    if (opset < OpTable.FIRST_OPSET || opset > OpTable.LAST_OPSET) {
      throw new OnnxException(
          "Cannot load ONNX model "
              + file
              + ": it is of opset "
              + opset
              + "; supported are "
              + OpTable.FIRST_OPSET
              + " to "
              + OpTable.LAST_OPSET);
    }
    String name = model.graphName().isEmpty() ? file.toString() : model.graphName();
    try {
      return new GraphImport(file, name, (int) opset).run(model);
    } catch (OnnxException e) {
      throw e;
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new OnnxException("Cannot load ONNX model " + file + ": " + e.getMessage(), e);
    }
  }

  private static MappedFile map(Path file) {
    try {
      return MappedFile.open(file);
    } catch (IOException e) {
      throw new OnnxException("Cannot read ONNX model " + file + ": " + e, e);
    }
  }
}
