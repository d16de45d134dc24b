package io.delaybridge.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Whether the intake can be reached, where Spring Boot 4 has its health. */
@AutoConfiguration(after = DelayBridgeAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnEnabledHealthIndicator("delay-bridge")
@ConditionalOnBean(IntakeCheck.class)
class DelayBridgeHealthAutoConfiguration {

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
