package io.delaybridge.spring.it;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands the one {@link Bridge} to whoever asks for it; it ends with the test run. */
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
