package io.delaybridge.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.delaybridge.client.Arrival;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/**
 * Resolves a listener method's argument of the type {@link Arrival} to what the bridge says about
 * the record. It is null for a record that did not come through the bridge. Not for batches.
 */
public final class ArrivalArgumentResolver implements HandlerMethodArgumentResolver {

  private static final String OURS = "delay-";

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == Arrival.class;
  }

  @Override
  public @Nullable Object resolveArgument(MethodParameter parameter, Message<?> message) {
    Headers headers = new RecordHeaders();
    message
        .getHeaders()
        .forEach(
            (name, value) -> {
              if (name.startsWith(OURS)) {
                headers.add(name, bytesOf(value));
              }
            });
    return Arrival.of(headers).orElse(null);
  }

  /** The application's own header mapper may have converted them to text. */
  private static byte[] bytesOf(Object value) {
    return value instanceof byte[] bytes ? bytes : value.toString().getBytes(UTF_8);
  }
}
