package dev.caldera.backend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * All devices of this machine, and the choice of one of them by what a user wrote.
 *
 * <pre>{@code
 * Devices.Selection selection = Devices.discover().select("auto");
 * log.info("{}", selection);
 * try (Device device = selection.open(DeviceOptions.defaults())) { ... }
 * }</pre>
 *
 * <p>What a user may write:
 *
 * <ul>
 *   <li>{@code auto}: a usable hardware Vulkan device, else the CPU (a choice worth a warning)
 *   <li>{@code cpu}: the CPU
 *   <li>{@code vulkan}: a usable hardware Vulkan device, else an error
 *   <li>{@code vulkan:<UUID, PCI address or part of the name>}: that device, be it hardware or
 *       software, else an error
 * </ul>
 *
 * <p>Among several that fit {@code auto} or {@code vulkan}, the lowest PCI address is taken, then
 * the lowest UUID, never the order in which a driver lists them. Backends are found by {@link
 * ServiceLoader}.
 */
public final class Devices {
  private static final Comparator<Candidate> ORDER =
      Comparator.comparing((Candidate c) -> c.info().pciAddress())
          .thenComparing(c -> c.info().id());

  private final List<Backend> backends;
  private final Map<Backend, List<Candidate>> found = new IdentityHashMap<>();

  private Devices(List<Backend> backends) {
    this.backends = List.copyOf(backends);
  }

  /** The devices of every backend on the class path; a backend is asked when it is first needed. */
  public static Devices discover() {
    return of(
        ServiceLoader.load(Backend.class, Backend.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }

  /** The devices of the given backends. */
  public static Devices of(List<Backend> backends) {
    return new Devices(backends);
  }

  /** Every device found, usable or not, by backend. */
  public List<DeviceInfo> all() {
    return candidates(backend -> true).stream().map(Candidate::info).toList();
  }

  /** For each backend without devices: its name, why, and what to install. */
  public List<String> absences() {
    return backends.stream()
        .filter(backend -> !backend.absence().isEmpty())
        .map(backend -> backend.name() + ": " + backend.absence())
        .toList();
  }

  /**
   * Chooses a device.
   *
   * @param specification see the class comment
   * @throws IllegalArgumentException if nothing usable fits it; lists what there is
   */
  public Selection select(String specification) {
    String wanted = specification.trim();
    String lower = wanted.toLowerCase(Locale.ROOT);
    if (lower.equals("auto")) {
      return auto();
    }
    if (lower.equals("cpu")) {
      return cpu("asked for by name", Severity.INFORMATION);
    }
    if (lower.equals("vulkan")) {
      List<Candidate> usable = usableHardware();
      if (usable.isEmpty()) {
        throw refuse(wanted, whyNoHardware() + "; name a software device to use it all the same");
      }
      return first(usable, "asked for by \"vulkan\"");
    }
    if (lower.startsWith("vulkan:") && lower.length() > "vulkan:".length()) {
      return named(wanted, lower.substring("vulkan:".length()).trim());
    }
    throw refuse(
        wanted, "expected auto, cpu, vulkan or vulkan:<UUID, PCI address or part of the name>");
  }

  private Selection auto() {
    List<Candidate> usable = usableHardware();
    if (!usable.isEmpty()) {
      return first(usable, "found by \"auto\"");
    }
    return cpu("found by \"auto\", because " + whyNoHardware(), Severity.WARNING);
  }

  private Selection cpu(String reason, Severity severity) {
    return ofBackend("cpu").stream()
        .findFirst()
        .map(c -> new Selection(c.backend(), c.info(), reason, severity))
        .orElseThrow(() -> refuse("cpu", "there is no CPU backend on the class path"));
  }

  private Selection named(String wanted, String part) {
    List<Candidate> exact =
        ofBackend("vulkan").stream()
            .filter(
                c ->
                    c.info().id().equalsIgnoreCase(part)
                        || c.info().pciAddress().equalsIgnoreCase(part))
            .toList();
    List<Candidate> matches =
        exact.isEmpty()
            ? ofBackend("vulkan").stream()
                .filter(c -> c.info().name().toLowerCase(Locale.ROOT).contains(part))
                .toList()
            : exact;
    if (matches.isEmpty()) {
      throw refuse(wanted, "no Vulkan device has this UUID, PCI address or part of its name");
    }
    if (matches.size() > 1) {
      throw refuse(
          wanted, matches.size() + " devices have this in their name; give a UUID or PCI address");
    }
    Candidate match = matches.get(0);
    if (!match.info().refusals().isEmpty()) {
      throw refuse(wanted, "it cannot serve: " + String.join("; ", match.info().refusals()));
    }
    return new Selection(
        match.backend(), match.info(), "asked for by name: " + wanted, Severity.INFORMATION);
  }

  private static Selection first(List<Candidate> usable, String reason) {
    Candidate candidate = usable.get(0);
    String many =
        usable.size() > 1 ? ", the lowest PCI address of " + usable.size() + " usable devices" : "";
    return new Selection(
        candidate.backend(), candidate.info(), reason + many, Severity.INFORMATION);
  }

  private List<Candidate> ofBackend(String backendName) {
    return candidates(backend -> backend.name().equals(backendName));
  }

  private synchronized List<Candidate> candidates(Predicate<Backend> wanted) {
    return backends.stream()
        .filter(wanted)
        .flatMap(backend -> found.computeIfAbsent(backend, Devices::ask).stream())
        .toList();
  }

  private static List<Candidate> ask(Backend backend) {
    return backend.devices().stream()
        .map(info -> new Candidate(backend, info))
        .sorted(ORDER)
        .toList();
  }

  private List<Candidate> usableHardware() {
    return ofBackend("vulkan").stream()
        .filter(c -> !c.info().software() && c.info().refusals().isEmpty())
        .toList();
  }

  private String whyNoHardware() {
    List<String> reasons = new ArrayList<>(absences());
    for (Candidate candidate : ofBackend("vulkan")) {
      DeviceInfo info = candidate.info();
      if (!info.refusals().isEmpty()) {
        reasons.add(info.name() + " cannot serve: " + String.join("; ", info.refusals()));
      } else if (info.software()) {
        reasons.add(info.name() + " is a software device, which is used only when named");
      }
    }
    return reasons.isEmpty()
        ? "no Vulkan device was found"
        : "no hardware Vulkan device can serve (" + String.join(", ", reasons) + ")";
  }

  private IllegalArgumentException refuse(String wanted, String why) {
    String there =
        candidates(backend -> true).stream()
            .map(c -> describe(c.info()))
            .collect(Collectors.joining(", ", "; devices here: ", ""));
    return new IllegalArgumentException("Cannot select device " + wanted + ": " + why + there);
  }

  private static String describe(DeviceInfo info) {
    String pci = info.pciAddress().isEmpty() ? "" : " at " + info.pciAddress();
    return info.backend().equals("vulkan")
        ? info.name() + " (vulkan:" + info.id() + pci + ")"
        : info.name() + " (cpu)";
  }

  /** How loudly a choice should be logged. */
  public enum Severity {
    /** What the user asked for. */
    INFORMATION,
    /** A way out that the user may not expect. */
    WARNING
  }

  /**
   * A choice.
   *
   * @param backend opens it
   * @param info the device
   * @param reason why this one, for the log
   * @param severity how loudly to log it
   */
  public record Selection(Backend backend, DeviceInfo info, String reason, Severity severity) {

    /** Opens the device. */
    public Device open(DeviceOptions options) {
      return backend.open(info, options);
    }

    /** One line for the log: device, driver and reason. */
    @Override
    public String toString() {
      return "device " + describe(info) + ", driver " + info.driver() + ": " + reason;
    }
  }

  private record Candidate(Backend backend, DeviceInfo info) {}
}
