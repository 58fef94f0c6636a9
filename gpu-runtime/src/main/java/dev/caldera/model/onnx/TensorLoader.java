package dev.caldera.model.onnx;

import dev.caldera.graph.DType;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.MappedFile;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorData;
import dev.caldera.graph.TensorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns TensorProtos into typed data: raw bytes and external files as they are mapped, typed lists
 * copied. An external file must lie within the model's folder.
 */
final class TensorLoader {

  private final Path file;
  private final Map<Path, MappedFile> externalFiles = new HashMap<>();

  /**
   * A loader.
   *
   * @param file the model, in whose folder external files lie
   */
  TensorLoader(Path file) {
    this.file = file;
  }

  /** A constant's type and elements. */
  record LoadedTensor(TensorType type, TensorData data) {}

  LoadedTensor load(OnnxTensor tensor) {
    DType dtype = OnnxTypes.dtype(tensor.dataType(), () -> "tensor " + tensor.name() + of());
    long[] dims = tensor.dims().stream().mapToLong(Long::longValue).toArray();
    long bytes = dtype.bytes();
    for (long dim : dims) {
      if (dim < 0) {
        throw error(tensor, "its dims " + tensor.dims() + " are not valid");
      }
      try {
        bytes = Math.multiplyExact(bytes, dim);
      } catch (ArithmeticException e) {
        throw error(tensor, "its dims " + tensor.dims() + " are too large");
      }
    }
    TensorData data = data(tensor, dtype, dims, bytes);
    if (data.byteSize() != bytes) {
      throw error(
          tensor,
          "its dims "
              + tensor.dims()
              + " of "
              + dtype
              + " take "
              + bytes
              + " bytes, but the file holds "
              + data.byteSize());
    }
    return new LoadedTensor(new TensorType(dtype, Shape.fixed(dims)), data);
  }

  private TensorData data(OnnxTensor tensor, DType dtype, long[] dims, long bytes) {
    if (tensor.isExternal()) {
      return external(tensor, bytes);
    }
    if (tensor.raw().isPresent()) {
      return tensor.raw().get();
    }
    List<?> given = dtype == DType.F32 ? tensor.decimals() : tensor.integers();
    if (given.size() != bytes / dtype.bytes()) {
      throw error(
          tensor,
          "its dims " + tensor.dims() + " need other than the " + given.size() + " elements given");
    }
    try {
      if (dtype == DType.F32) {
        float[] values = new float[given.size()];
        for (int i = 0; i < values.length; i++) {
          values[i] = tensor.decimals().get(i);
        }
        return HostTensor.floats(values, dims).toData();
      }
      long[] values = tensor.integers().stream().mapToLong(Long::longValue).toArray();
      return HostTensor.integers(dtype, values, dims).toData();
    } catch (ArithmeticException e) {
      throw error(tensor, String.valueOf(e.getMessage()));
    }
  }

  private TensorData external(OnnxTensor tensor, long bytes) {
    String location = tensor.external().getOrDefault("location", "");
    MappedFile whole = externalFiles.computeIfAbsent(locate(tensor, location), p -> map(tensor, p));
    long offset = number(tensor, "offset", 0);
    long length = number(tensor, "length", bytes);
    if (offset < 0 || length < 0 || length > whole.byteSize() - offset) {
      throw error(
          tensor,
          "bytes "
              + offset
              + " to "
              + offset
              + " + "
              + length
              + " do not lie in "
              + location
              + " of "
              + whole.byteSize()
              + " bytes");
    }
    return whole.slice(offset, length);
  }

  private Path locate(OnnxTensor tensor, String location) {
    try {
      Path folder = file.toAbsolutePath().normalize().getParent();
      Path path = folder == null ? Path.of(location) : folder.resolve(location).normalize();
      if (location.isEmpty() || folder == null || !path.startsWith(folder)) {
        throw error(tensor, "its external file \"" + location + "\" is not in the model's folder");
      }
      if (!Files.isRegularFile(path)) {
        throw error(tensor, "there is no external file " + path);
      }
      return path;
    } catch (InvalidPathException e) {
      throw error(tensor, "its external file \"" + location + "\" is not a file name");
    }
  }

  private MappedFile map(OnnxTensor tensor, Path path) {
    try {
      return MappedFile.open(path);
    } catch (IOException e) {
      throw new OnnxException("Cannot map " + path + " for tensor " + tensor.name() + of(), e);
    }
  }

  private long number(OnnxTensor tensor, String key, long otherwise) {
    String text = tensor.external().get(key);
    try {
      return text == null ? otherwise : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw error(tensor, "its external " + key + " \"" + text + "\" is not a number");
    }
  }

  private String of() {
    return " of " + file;
  }

  private OnnxException error(OnnxTensor tensor, String reason) {
    return new OnnxException("Cannot load tensor " + tensor.name() + of() + ": " + reason);
  }
}
