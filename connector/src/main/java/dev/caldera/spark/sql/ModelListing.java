package dev.caldera.spark.sql;

import dev.caldera.model.ModelFolder;
import dev.caldera.spark.executor.ModelFile;
import dev.caldera.spark.executor.ModelReference;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Finds out which files make a model: the graph, beside it files of external weights ({@code
 * model.onnx*} and {@code *.data}), the tokenizer, and JSON files. Whatever else lies in the folder
 * stays there.
 */
final class ModelListing {
  private ModelListing() {}

  /**
   * Lists a model.
   *
   * @param name as the query calls it
   * @param location folder: a URI or a path
   * @param source what says that the model lies there, for messages
   * @throws IllegalArgumentException if the folder or a file that it must have is missing
   */
  static ModelReference list(String name, String location, String source, Configuration hadoop) {
    String wanted = "Cannot open model '" + name + "' at " + location + " (from " + source + "): ";
    try {
      Path path = new Path(location);
      FileSystem files = path.getFileSystem(hadoop);
      Path folder = files.makeQualified(path);
      if (!files.getFileStatus(folder).isDirectory()) {
        throw new IllegalArgumentException(
            wanted + "it is a file; give the folder that holds model.onnx and tokenizer.json");
      }
      List<ModelFile> all = walk(files, folder);
      return new ModelReference(name, folder.toString(), needed(all, wanted));
    } catch (FileNotFoundException e) {
      throw new IllegalArgumentException(wanted + "there is no such folder", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(wanted + e.getMessage(), e);
    }
  }

  private static List<ModelFile> walk(FileSystem files, Path folder) throws IOException {
    List<ModelFile> all = new ArrayList<>();
    String prefix = folder.toString() + "/";
    RemoteIterator<LocatedFileStatus> found = files.listFiles(folder, true);
    while (found.hasNext()) {
      LocatedFileStatus file = found.next();
      String path = file.getPath().toString().substring(prefix.length());
      all.add(new ModelFile(path, file.getLen(), file.getModificationTime()));
    }
    all.sort(Comparator.comparing(ModelFile::path));
    return all;
  }

  private static List<ModelFile> needed(List<ModelFile> all, String wanted) {
    String graph =
        ModelFolder.GRAPH_FILES.stream()
            .filter(path -> has(all, path))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        wanted
                            + "neither "
                            + String.join(" nor ", ModelFolder.GRAPH_FILES)
                            + " is there"));
    if (!has(all, ModelFolder.TOKENIZER_FILE)) {
      throw new IllegalArgumentException(wanted + ModelFolder.TOKENIZER_FILE + " is not there");
    }
    String besideGraph = graph.substring(0, graph.lastIndexOf('/') + 1);
    return all.stream().filter(file -> isNeeded(file.path(), graph, besideGraph)).toList();
  }

  private static boolean has(List<ModelFile> all, String path) {
    return all.stream().anyMatch(file -> file.path().equals(path));
  }

  private static boolean isNeeded(String path, String graph, String besideGraph) {
    int slash = path.lastIndexOf('/');
    boolean besideIt = path.substring(0, slash + 1).equals(besideGraph);
    return path.startsWith(graph) || (besideIt && path.endsWith(".data")) || path.endsWith(".json");
  }
}
