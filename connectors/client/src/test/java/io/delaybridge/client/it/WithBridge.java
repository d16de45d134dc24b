package io.delaybridge.client.it;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Provides the shared {@link Bridge} as a parameter; it ends with the test run. */
public final class WithBridge implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Bridge.class;
  }

  @Override
  public Bridge resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.create(WithBridge.class))
        .getOrComputeIfAbsent(Bridge.class, type -> Bridge.start(), Bridge.class);
  }
}
