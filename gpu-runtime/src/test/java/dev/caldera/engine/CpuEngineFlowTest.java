package dev.caldera.engine;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.backend.Devices;
import java.util.Optional;

/** The engine on two threads of the CPU, each with an arena of its own. */
class CpuEngineFlowTest extends EngineFlowContract {
  @Override
  Device openDevice() {
    return Devices.discover().select("cpu").open(new DeviceOptions(2, Optional.empty(), false));
  }
}
