package io.delaybridge.spring.it;

import org.springframework.context.ApplicationContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The health indicator, by its name: its class is in another package in Spring Boot 3. */
public final class Indicator {

  public static final String NAME = "delayBridgeHealthIndicator";

  private Indicator() {}

  /** Returns its health as text: the status, followed by the details. */
  public static String health(ApplicationContext context) {
    return String.valueOf(
        new SpelExpressionParser().parseExpression("health()").getValue(context.getBean(NAME)));
  }
}
