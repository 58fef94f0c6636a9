package dev.caldera;

import java.io.PrintStream;
import java.util.List;

/**
 * The command line of Caldera.
 *
 * <pre>{@code
 * java -cp caldera-spark_2.13.jar dev.caldera.Caldera doctor --device auto
 * }</pre>
 *
 * <p>Exit codes: 0 all is well; 1 the device cannot serve; 2 the command line is wrong.
 */
public final class Caldera {
  private static final int WRONG_USE = 2;
  private static final String USAGE =
      String.join(
          System.lineSeparator(),
          "usage: dev.caldera.Caldera doctor [--device SPECIFICATION]",
          "",
          "  doctor    prints the devices of this machine, their limits and what they lack, and",
          "            runs the kernels' numeric self-tests on the one that is chosen",
          "",
          "  SPECIFICATION   auto (the default), cpu, vulkan, or vulkan:<UUID, PCI address or part",
          "                  of the name>");

  private Caldera() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] arguments) throws InterruptedException {
    System.exit(run(List.of(arguments), System.out, System.err));
  }

  /** Runs a command: its exit code. */
  static int run(List<String> arguments, PrintStream out, PrintStream err)
      throws InterruptedException {
    if (arguments.equals(List.of("doctor"))) {
      return new Doctor(out).examine("auto");
    }
    if (arguments.size() == 3
        && arguments.get(0).equals("doctor")
        && arguments.get(1).equals("--device")) {
      return new Doctor(out).examine(arguments.get(2));
    }
    if (!arguments.isEmpty()) {
      err.println("Cannot run command: " + String.join(" ", arguments));
    }
    err.println(USAGE);
    return WRONG_USE;
  }
}
