package io.delaybridge.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.client.Backoff;
import io.delaybridge.client.RetryLater;
import io.delaybridge.spring.it.Indicator;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.CommonLoggingErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;

class DelayBridgeAutoConfigurationTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  private final ApplicationContextRunner application =
      new ApplicationContextRunner().withUserConfiguration(Application.class);
  private final ApplicationContextRunner retrying =
      application.withPropertyValues("delay-bridge.retry.enabled=true");

  /** Two versions are tested; this checks that the requested one is used. */
  @Test
  void itIsTheVersionOfSpringBootThatTheBuildNames() {
    assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("spring-boot.version"));
  }

  @Test
  void withoutTheOneLineListenersFailAsBefore() {
    application.run(
        context -> {
          assertThat(context).doesNotHaveBean(CommonErrorHandler.class);
          assertThat(context).doesNotHaveBean(DelayBridgeRecoverer.class);
          assertThat(context).hasSingleBean(DelayOperations.class);
        });
  }

  @Test
  void withTheOneLineThereIsAnErrorHandlerForAllListeners() {
    retrying.run(
        context -> {
          assertThat(context)
              .getBean(CommonErrorHandler.class)
              .isInstanceOf(DefaultErrorHandler.class);
          assertThat(context).doesNotHaveBean(AfterRollbackProcessor.class);
          assertThat(context).hasSingleBean(ConcurrentKafkaListenerContainerFactory.class);
        });
  }

  @Test
  void anErrorHandlerOfTheApplicationStays() {
    retrying
        .withBean(CommonLoggingErrorHandler.class)
        .run(
            context ->
                assertThat(context)
                    .getBean(CommonErrorHandler.class)
                    .isInstanceOf(CommonLoggingErrorHandler.class));
  }

  @Test
  void aRecovererOfTheApplicationTakesThePlaceOfTheOneOfTheProperties() {
    DelayBridgeRecoverer own =
        DelayBridgeRecoverer.with(
            new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(Map.of())),
            RetryLater.with(Backoff.DEFAULT));
    retrying
        .withBean(DelayBridgeRecoverer.class, () -> own)
        .run(
            context -> {
              assertThat(context).getBean(DelayBridgeRecoverer.class).isSameAs(own);
              assertThat(context).hasSingleBean(CommonErrorHandler.class);
              assertThat(context).doesNotHaveBean(RetryTemplate.class);
            });
  }

  @Test
  void withTransactionsThereIsAnAfterRollbackProcessorInstead() {
    retrying
        .withPropertyValues("spring.kafka.producer.transaction-id-prefix=tx-")
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(CommonErrorHandler.class);
              assertThat(context)
                  .getBean(AfterRollbackProcessor.class)
                  .isInstanceOf(RetryAfterRollback.class);
            });
  }

  @Test
  void whatIsWrongIsNamedAtTheStart() {
    retrying
        .withPropertyValues("delay-bridge.retry.topic-suffix=/retry")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("topic-suffix is '/retry'"));
    retrying
        .withPropertyValues("delay-bridge.retry.max-attempts=0")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("maxAttempts is 0"));
  }

  @Test
  void theIntakeIsConfigured() {
    application
        .withPropertyValues("delay-bridge.intake=other")
        .run(
            context ->
                assertThat(context.getBean(DelayOperations.class).intake()).isEqualTo("other"));
  }

  @Test
  void whatIsRetriedAndGivenUpIsCounted() {
    ConsumerRecord<String, String> order = new ConsumerRecord<>("orders", 0, 7, "k", "v");
    retrying
        .withBean(SimpleMeterRegistry.class)
        .run(
            context -> {
              DelayBridgeRecoverer.Listener listener =
                  context.getBean(DelayBridgeRecoverer.Listener.class);
              Exception failure = new IllegalStateException();
              listener.settled(order, RetryLater.with(Backoff.DEFAULT).verdict(order, failure));
              listener.settled(
                  order,
                  RetryLater.with(Backoff.DEFAULT)
                      .hopeless(IllegalStateException.class)
                      .verdict(order, failure));

              MeterRegistry meters = context.getBean(MeterRegistry.class);
              for (String name : List.of(RetryMeters.RETRIED, RetryMeters.GIVEN_UP)) {
                assertThat(meters.get(name).tag("topic", "orders").counter().count()).isEqualTo(1);
              }
            });
  }

  @Test
  void withoutMicrometerNothingIsCounted() {
    retrying
        .withClassLoader(new FilteredClassLoader("io.micrometer.core"))
        .run(
            context -> {
              assertThat(context).hasSingleBean(DelayBridgeRecoverer.class);
              assertThat(context).doesNotHaveBean(DelayBridgeRecoverer.Listener.class);
            });
  }

  @Test
  void anIntakeThatCanNotBeReachedIsAPartOfTheHealthThatIsDown() {
    application
        .withPropertyValues("spring.kafka.bootstrap-servers=kafka.invalid:1")
        .run(
            context ->
                assertThat(Indicator.health(context))
                    .startsWith("DOWN")
                    .contains("intake=delay-intake", "KafkaException"));
  }

  @Test
  void theHealthAsksTheServersThatTheTemplateUses() {
    application
        // No server listens there, which is a different failure from a host that does not exist.
        .withPropertyValues("spring.kafka.bootstrap-servers=127.0.0.1:1")
        .run(
            context -> {
              context
                  .getBean(DefaultKafkaProducerFactory.class)
                  .setBootstrapServersSupplier(() -> "kafka.invalid:1");

              assertThat(Indicator.health(context)).startsWith("DOWN").contains("KafkaException");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"delay-bridge", "delaybridge", "defaults"})
  void theHealthIsSwitchedOffLikeThatOfSpringBoot(String name) {
    application
        .withPropertyValues("management.health." + name + ".enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(Indicator.NAME));
  }

  @Test
  void whoExcludesTheStarterHasNoHealthOfIt() {
    application
        .withPropertyValues(
            "spring.autoconfigure.exclude=" + DelayBridgeAutoConfiguration.class.getName())
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context).doesNotHaveBean(Indicator.NAME);
            });
  }

  @Test
  void withoutTheHealthOfSpringBootThereIsNone() {
    application
        .withClassLoader(
            new FilteredClassLoader(
                (String name) -> name.endsWith(".ConditionalOnEnabledHealthIndicator")))
        .run(
            context -> {
              assertThat(context).hasSingleBean(DelayOperations.class);
              assertThat(context).doesNotHaveBean(Indicator.NAME);
            });
  }

  @Test
  void editorsKnowTheProperties() throws IOException {
    String metadata;
    try (InputStream file =
        getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      metadata = new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
    }

    assertThat(metadata)
        .contains(
            "\"delay-bridge.intake\"",
            "\"delay-bridge.retry.enabled\"",
            "\"delay-bridge.retry.max-attempts\"",
            "\"delay-bridge.retry.first-delay\"",
            "\"delay-bridge.retry.longest-delay\"",
            "\"delay-bridge.retry.topic-suffix\"",
            "\"delay-bridge.retry.dead-letter-topic\"",
            "\"delay-bridge.retry.final-failures\"",
            "\"management.health.delay-bridge.enabled\"",
            "Pause after the first failure.");
  }
}
