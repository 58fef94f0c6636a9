package dev.caldera.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.backend.Devices.Severity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DevicesTest {
  private static final DeviceInfo CPU = info("cpu", "cpu", "", "Some processor", false);
  private static final DeviceInfo LAVAPIPE = info("vulkan", "6d65", "", "llvmpipe (LLVM)", true);
  private static final DeviceInfo FAR = info("vulkan", "aaaa", "0000:9b:00.0", "H200", false);
  private static final DeviceInfo NEAR = info("vulkan", "bbbb", "0000:1b:00.0", "H200", false);
  private static final DeviceInfo OLD =
      info("vulkan", "cccc", "0000:01:00.0", "Old card", false, "timelineSemaphore is missing");

  @Test
  void autoTakesTheHardwareDeviceWithTheLowestPciAddress() {
    Devices.Selection selection = devices(OLD, LAVAPIPE, FAR, NEAR).select("auto");
    assertThat(selection.info()).isEqualTo(NEAR);
    assertThat(selection.severity()).isEqualTo(Severity.INFORMATION);
    assertThat(selection)
        .hasToString(
            "device H200 (vulkan:bbbb at 0000:1b:00.0), driver driver 1: found by \"auto\", the"
                + " lowest PCI address of 2 usable devices");
  }

  @Test
  void autoWarnsWhenItTakesTheCpu() {
    Devices.Selection selection = devices(OLD, LAVAPIPE).select("auto");
    assertThat(selection.info()).isEqualTo(CPU);
    assertThat(selection.severity()).isEqualTo(Severity.WARNING);
    assertThat(selection.reason())
        .isEqualTo(
            "found by \"auto\", because no hardware Vulkan device can serve (llvmpipe (LLVM) is a"
                + " software device, which is used only when named, Old card cannot serve:"
                + " timelineSemaphore is missing)");
  }

  @Test
  void autoSaysWhyVulkanIsAbsent() {
    Devices devices =
        Devices.of(
            List.of(
                new FakeBackend("vulkan", List.of(), "no loader; install libvulkan1"),
                new FakeBackend("cpu", List.of(CPU), "")));
    assertThat(devices.select("auto").reason()).contains("vulkan: no loader; install libvulkan1");
    assertThat(devices.absences()).containsExactly("vulkan: no loader; install libvulkan1");
  }

  @Test
  void cpuDoesNotAskVulkan() {
    Backend untouched =
        new FakeBackend("vulkan", List.of(), "") {
          @Override
          public List<DeviceInfo> devices() {
            throw new AssertionError("Vulkan was asked");
          }
        };
    Devices devices = Devices.of(List.of(untouched, new FakeBackend("cpu", List.of(CPU), "")));
    assertThat(devices.select("cpu").info()).isEqualTo(CPU);
  }

  @Test
  void aDeviceIsFoundByUuidPciAddressAndPartOfItsName() {
    Devices devices = devices(LAVAPIPE, FAR, NEAR);
    assertThat(devices.select("vulkan:AAAA").info()).isEqualTo(FAR);
    assertThat(devices.select("vulkan:0000:9b:00.0").info()).isEqualTo(FAR);
    assertThat(devices.select("vulkan:llvmpipe").info()).isEqualTo(LAVAPIPE);
    assertThat(devices.select("vulkan").info()).isEqualTo(NEAR);
  }

  @Test
  void aSoftwareDeviceIsNeverTakenUnlessNamed() {
    assertThatThrownBy(() -> devices(LAVAPIPE).select("vulkan"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot select device vulkan: no hardware Vulkan device can serve (llvmpipe (LLVM) is a"
                + " software device, which is used only when named); name a software device to use"
                + " it all the same; devices here: llvmpipe (LLVM) (vulkan:6d65), Some processor"
                + " (cpu)");
  }

  @Test
  void anUnknownDeviceIsAnErrorThatListsWhatThereIs() {
    assertThatThrownBy(() -> devices(NEAR).select("vulkan:A100"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot select device vulkan:A100: no Vulkan device has this UUID, PCI address or part"
                + " of its name; devices here: H200 (vulkan:bbbb at 0000:1b:00.0), Some processor"
                + " (cpu)");
    assertThatThrownBy(() -> devices(NEAR).select("gpu"))
        .hasMessageStartingWith("Cannot select device gpu: expected auto, cpu, vulkan or vulkan:<");
  }

  @Test
  void aNameThatSeveralDevicesHaveIsAnError() {
    assertThatThrownBy(() -> devices(NEAR, FAR).select("vulkan:H200"))
        .hasMessageStartingWith(
            "Cannot select device vulkan:H200: 2 devices have this in their name; give a UUID");
  }

  @Test
  void aNamedDeviceThatCannotServeIsRefusedWithItsReasons() {
    assertThatThrownBy(() -> devices(OLD).select("vulkan:old"))
        .hasMessageStartingWith(
            "Cannot select device vulkan:old: it cannot serve: timelineSemaphore is missing");
  }

  private static Devices devices(DeviceInfo... vulkan) {
    return Devices.of(
        List.of(
            new FakeBackend("vulkan", List.of(vulkan), ""),
            new FakeBackend("cpu", List.of(CPU), "")));
  }

  private static DeviceInfo info(
      String backend, String id, String pci, String name, boolean software, String... refusals) {
    return new DeviceInfo(
        backend, id, pci, name, "driver 1", software, 1L << 30, Map.of(), List.of(refusals));
  }

  private static class FakeBackend implements Backend {
    private final String name;
    private final List<DeviceInfo> devices;
    private final String absence;

    FakeBackend(String name, List<DeviceInfo> devices, String absence) {
      this.name = name;
      this.devices = devices;
      this.absence = absence;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public List<DeviceInfo> devices() {
      return devices;
    }

    @Override
    public String absence() {
      return absence;
    }

    @Override
    public Device open(DeviceInfo info, DeviceOptions options) {
      throw new UnsupportedOperationException("these tests open nothing");
    }
  }
}
