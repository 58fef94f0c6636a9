package dev.caldera;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceInfo;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.backend.Devices;
import dev.caldera.backend.KernelSelfTest;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Tells what devices there are and whether the chosen one computes correctly. */
final class Doctor {
  private static final int HEALTHY = 0;
  private static final int CANNOT_SERVE = 1;
  private static final long MEBIBYTE = 1 << 20;

  private final PrintStream out;
  private final Devices devices;

  Doctor(PrintStream out) {
    this(out, Devices.discover());
  }

  Doctor(PrintStream out, Devices devices) {
    this.out = out;
    this.devices = devices;
  }

  /** Examines the device that {@code specification} chooses: 0 when it can serve, else 1. */
  int examine(String specification) throws InterruptedException {
    line(
        "Caldera doctor, Java %s (%s) on %s %s with %d processors",
        System.getProperty("java.version"),
        System.getProperty("java.vendor"),
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors());
    devices.all().forEach(this::describe);
    devices.absences().forEach(absence -> line("%nNo devices of %s", absence));
    line("");
    Devices.Selection selection;
    try {
      selection = devices.select(specification);
    } catch (IllegalArgumentException e) {
      line("FAILED: %s", String.valueOf(e.getMessage()));
      return CANNOT_SERVE;
    }
    line(
        "%s: %s",
        selection.severity() == Devices.Severity.WARNING ? "WARNING" : "Chosen", selection);
    return selfTest(selection);
  }

  private void describe(DeviceInfo info) {
    line("%n%s", info.name());
    property("backend", info.backend() + (info.software() ? ", a software device" : ""));
    property("id", info.id());
    if (!info.pciAddress().isEmpty()) {
      property("PCI address", info.pciAddress());
    }
    property("driver", info.driver());
    property("memory", String.format(Locale.ROOT, "%,d MiB", info.memoryBytes() / MEBIBYTE));
    info.properties().forEach(this::property);
    if (info.refusals().isEmpty()) {
      property("can serve", info.software() ? "yes, when named" : "yes");
    } else {
      property("can serve", "no: " + String.join("; ", info.refusals()));
    }
  }

  private int selfTest(Devices.Selection selection) throws InterruptedException {
    List<KernelSelfTest.Result> results;
    try (Device device = selection.open(DeviceOptions.defaults())) {
      results = KernelSelfTest.run(device);
    } catch (RuntimeException e) {
      line("FAILED: %s", e);
      return CANNOT_SERVE;
    }
    line("%nKernels against the host (normalised mean squared error)");
    for (KernelSelfTest.Result result : results) {
      property(
          result.op(),
          result.passed()
              ? String.format(Locale.ROOT, "%.1e  ok", result.error())
              : "FAILED: " + result.failure());
    }
    long failed = results.stream().filter(result -> !result.passed()).count();
    if (failed > 0) {
      line(
          "%nFAILED: %d of %d self-tests on %s; update its driver, or use another device",
          failed, results.size(), selection.info().name());
      return CANNOT_SERVE;
    }
    line("%nHealthy: %d of %d self-tests passed", results.size(), results.size());
    return HEALTHY;
  }

  private void property(String name, String value) {
    line("  %-30s %s", name, value);
  }

  private void line(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
