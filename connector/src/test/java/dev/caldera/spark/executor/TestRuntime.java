package dev.caldera.spark.executor;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/** Puts a runtime with fake encoders in place of this process's. */
public final class TestRuntime {
  private TestRuntime() {}

  /** Uses {@code encoders} from now on, copies of models under {@code cache}. */
  public static void use(FakeEncoders encoders, Path cache) {
    ExecutorRuntime.use(new CalderaRuntime(encoders, new ModelCache(cache, new Configuration())));
  }
}
