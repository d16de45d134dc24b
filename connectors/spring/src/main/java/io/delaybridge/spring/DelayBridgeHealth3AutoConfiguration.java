package io.delaybridge.spring;

import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Whether the intake can be reached, where Spring Boot 3 has its health. */
@AutoConfiguration(after = DelayBridgeAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnEnabledHealthIndicator("delay-bridge")
@ConditionalOnBean(IntakeCheck.class)
class DelayBridgeHealth3AutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(name = "delayBridgeHealthIndicator")
  HealthIndicator delayBridgeHealthIndicator(IntakeCheck check) {
    return () -> {
      IntakeCheck.Answer answer = check.answer();
      Health.Builder health =
          answer.problem() == null ? Health.up() : Health.down(answer.problem());
      return health.withDetails(answer.details()).build();
    };
  }
}
