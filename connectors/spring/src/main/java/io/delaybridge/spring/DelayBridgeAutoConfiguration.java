package io.delaybridge.spring;

import io.delaybridge.client.RetryLater;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListenerConfigurer;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.core.RoutingKafkaTemplate;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.transaction.KafkaAwareTransactionManager;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/** Delayed sends, and retries of listeners if {@code delay-bridge.retry.enabled} is true. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
      // The same in Boot 3.
      "org.springframework.boot.autoconfigure.kafka.KafkaAutoConfiguration"
    })
@ConditionalOnClass(KafkaOperations.class)
@EnableConfigurationProperties(DelayBridgeProperties.class)
public class DelayBridgeAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnSingleCandidate(KafkaOperations.class)
  DelayOperations delayOperations(
      KafkaOperations<?, ?> operations, DelayBridgeProperties properties) {
    return DelayOperations.of(operations, properties.intake());
  }

  /** For the health, of whichever version of Spring Boot. Connects with the first question. */
  @Bean
  @ConditionalOnSingleCandidate(KafkaTemplate.class)
  @ConditionalOnMissingBean(RoutingKafkaTemplate.class) // It has no configuration of its own.
  IntakeCheck delayBridgeIntakeCheck(
      KafkaTemplate<?, ?> template, DelayBridgeProperties properties) {
    return new IntakeCheck(
        () -> template.getProducerFactory().getConfigurationProperties(),
        properties.intake(),
        InstantSource.system());
  }

  /** Adds to the existing resolvers. Code that sets the resolvers later replaces this one. */
  @Bean
  KafkaListenerConfigurer delayBridgeArguments() {
    return registrar -> {
      List<HandlerMethodArgumentResolver> all =
          new ArrayList<>(registrar.getCustomMethodArgumentResolvers());
      all.add(new ArrivalArgumentResolver());
      registrar.setCustomMethodArgumentResolvers(all.toArray(HandlerMethodArgumentResolver[]::new));
    };
  }

  /** Retries in the same way for all listeners of the default container factory. */
  @Configuration(proxyBeanMethods = false)
  // Not ConditionalOnBooleanProperty: Boot before 3.5 does not know it, and would pass over it.
  @ConditionalOnProperty(name = "delay-bridge.retry.enabled", havingValue = "true")
  static class Retries {

    @Bean
    @ConditionalOnMissingBean(DelayBridgeRecoverer.class)
    RetryTemplate delayBridgeRetryTemplate(ProducerFactory<?, ?> application) {
      return new RetryTemplate(application);
    }

    @Bean
    @ConditionalOnMissingBean
    DelayBridgeRecoverer delayBridgeRecoverer(
        RetryTemplate template,
        DelayBridgeProperties properties,
        ObjectProvider<DelayBridgeRecoverer.Listener> listener) {
      DelayBridgeProperties.Retry retry = properties.retry();
      DelayBridgeRecoverer recoverer =
          DelayBridgeRecoverer.with(
                  template.template(), RetryLater.with(retry.backoff()).intake(properties.intake()))
              .finalFailures(retry.finalFailures())
              .retryTopics(retry::topicOf);
      DelayBridgeRecoverer.Listener told = listener.getIfAvailable();
      if (told != null) {
        recoverer = recoverer.listener(told);
      }
      String deadLetters = retry.deadLetterTopic();
      return deadLetters == null ? recoverer : recoverer.deadLetterTopic(deadLetters);
    }

    /** Not with transactions, where it would commit what a listener sent before it failed. */
    @Bean
    @ConditionalOnMissingBean({CommonErrorHandler.class, KafkaAwareTransactionManager.class})
    CommonErrorHandler delayBridgeErrorHandler(DelayBridgeRecoverer recoverer) {
      return recoverer.errorHandler();
    }

    @Bean
    @ConditionalOnBean(KafkaAwareTransactionManager.class)
    @ConditionalOnMissingBean({CommonErrorHandler.class, AfterRollbackProcessor.class})
    AfterRollbackProcessor<Object, Object> delayBridgeAfterRollback(
        DelayBridgeRecoverer recoverer) {
      return recoverer.afterRollback();
    }
  }

  /** Counts, if there is a meter registry. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  static class Meters {

    @Bean
    @ConditionalOnMissingBean(DelayBridgeRecoverer.Listener.class)
    RetryMeters delayBridgeRetryMeters(ObjectProvider<MeterRegistry> registries) {
      return new RetryMeters(registries);
    }
  }
}
