package dev.caldera.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.backend.Device;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the Vulkan test device, opened once for all of them and closed behind the last; after
 * each test no buffer may be left.
 */
public final class SharedVulkan implements ParameterResolver, AfterEachCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SharedVulkan.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Device.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(Opened.class, key -> new Opened(VulkanTesting.open()), Opened.class)
        .device();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Opened opened = context.getRoot().getStore(NAMESPACE).get(Opened.class, Opened.class);
    if (opened != null) {
      assertThat(opened.device().counters().liveBuffers()).as("buffers left open").isZero();
    }
  }

  private record Opened(Device device) implements AutoCloseable {
    @Override
    public void close() {
      device.close();
    }
  }
}
