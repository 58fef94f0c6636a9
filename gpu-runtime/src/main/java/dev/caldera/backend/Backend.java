package dev.caldera.backend;

import java.util.List;

/** A way to compute: finds devices and opens them. */
public interface Backend {

  /** "vulkan" or "cpu". */
  String name();

  /**
   * The devices it finds, usable or not (then with refusals). An empty list when the backend itself
   * is absent; {@link #absence()} then tells why.
   */
  List<DeviceInfo> devices();

  /** Why there are no devices, with what to install; empty when there are. */
  String absence();

  /**
   * Opens a device.
   *
   * @param info one of {@link #devices()}
   * @param options see there
   */
  Device open(DeviceInfo info, DeviceOptions options);
}
