package dev.caldera.backend.cpu;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.memory.ArenaContract;
import dev.caldera.memory.MemoryDevice;

/** The arena's contract on the CPU backend. */
class CpuArenaTest extends ArenaContract {
  @Override
  protected MemoryDevice openDevice() {
    CpuBackend backend = new CpuBackend();
    return backend.open(backend.devices().get(0), DeviceOptions.defaults());
  }

  @Override
  protected void closeDevice(MemoryDevice opened) {
    ((Device) opened).close();
  }
}
