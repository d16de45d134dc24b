package io.delaybridge.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.client.Backoff;
import io.delaybridge.client.RetryLater;
import io.delaybridge.client.Verdict;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.ContainerProperties.EOSMode;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.mock.MockProducerFactory;

class DelayBridgeRecovererTest {

  private static final RetryLater LATER =
      RetryLater.with(new Backoff(3, Duration.ofSeconds(5), Duration.ofSeconds(60)));
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

  private final MockProducer<Object, Object> producer =
      new MockProducer<>(true, null, texts(), texts());
  private final List<String> seeks = new ArrayList<>();

  @SuppressWarnings("unchecked") // Only texts are written.
  private static Serializer<Object> texts() {
    return (Serializer<Object>) (Serializer<?>) new StringSerializer();
  }

  private DelayBridgeRecoverer plain() {
    return DelayBridgeRecoverer.with(
        new KafkaTemplate<>(new MockProducerFactory<>(() -> producer)), LATER);
  }

  private DelayBridgeRecoverer transactional() {
    producer.initTransactions();
    return DelayBridgeRecoverer.with(
        new KafkaTemplate<>(new MockProducerFactory<>((tx, id) -> producer, "tx")), LATER);
  }

  private static ConsumerRecord<Object, Object> order(long offset) {
    return new ConsumerRecord<>("orders", 0, offset, "key", "value");
  }

  private static String header(ProducerRecord<?, ?> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  /** A consumer that notes where it is told to go. */
  @SuppressWarnings({"unchecked", "removal"})
  private Consumer<Object, Object> consumer() {
    return (Consumer<Object, Object>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Consumer.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "groupMetadata" -> new ConsumerGroupMetadata("billing");
                  case "seek" -> {
                    seeks.add(arguments[0] + "@" + arguments[1]);
                    yield null;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  /** A container that is being stopped, so that nobody waits for it. */
  private MessageListenerContainer container() {
    return (MessageListenerContainer)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {MessageListenerContainer.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "isRunning", "isPauseRequested" -> false;
                  default -> null;
                });
  }

  @Test
  void aFailureGoesToTheIntakeAndTheListenerIsToldOfIt() {
    List<Verdict<?, ?>> told = new ArrayList<>();

    plain()
        .listener((record, verdict) -> told.add(verdict))
        .accept(order(7), new IllegalStateException());

    ProducerRecord<Object, Object> sent = producer.history().get(0);
    assertThat(sent.topic()).isEqualTo("delay-intake");
    assertThat(header(sent, "delay-target-topic")).isEqualTo("orders");
    assertThat(header(sent, "delay-consumer-attempt")).isEqualTo("2");
    assertThat(told).singleElement().isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void whatSpringWrapsAroundAFailureIsTakenOff() {
    Exception wrapped =
        new ListenerExecutionFailedException(
            "listener",
            new BatchListenerFailedException("batch", new NumberFormatException("seven"), 0));

    plain()
        .deadLetterTopic("dead")
        .finalFailures(List.of(NumberFormatException.class))
        .accept(order(7), wrapped);

    ProducerRecord<Object, Object> sent = producer.history().get(0);
    assertThat(sent.topic()).isEqualTo("dead");
    assertThat(header(sent, "delay-dead-detail"))
        .endsWith("java.lang.NumberFormatException: seven");
  }

  @Test
  void whatIsGivenUpIsTheBusinessOfWhoIsNamedForIt() {
    List<String> given = new ArrayList<>();

    plain()
        .finalFailures(List.of(IllegalStateException.class))
        .deadLetters((record, consumer, failure) -> given.add(record.topic() + " " + failure))
        .accept(order(7), new IllegalStateException("not ever"));

    assertThat(given).containsExactly("orders java.lang.IllegalStateException: not ever");
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void whatKafkaDidNotTakeIsAFailure() {
    producer.sendException = new KafkaException("away");

    assertThatThrownBy(() -> plain().accept(order(7), new IllegalStateException()))
        .isInstanceOf(KafkaException.class);
  }

  @Test
  void aTemplateWithTransactionsThatIsInNoneHasItsOwn() {
    transactional().accept(order(7), new IllegalStateException());

    assertThat(producer.transactionCommitted()).isTrue();
    assertThat(producer.history()).hasSize(1);
  }

  private void afterRollback(List<ConsumerRecord<Object, Object>> records) {
    transactional()
        .<Object, Object>afterRollback()
        .process(
            records,
            consumer(),
            container(),
            new IllegalStateException("not now"),
            true,
            EOSMode.V2);
  }

  @Test
  void theRetryAndTheOffsetAreOneTransactionAndWhatWasReadBehindItIsReadAgain() {
    afterRollback(List.of(order(7), order(8), order(9)));

    assertThat(producer.commitCount()).isEqualTo(1);
    assertThat(producer.history()).hasSize(1);
    assertThat(producer.consumerGroupOffsetsHistory())
        .containsExactly(Map.of("billing", Map.of(ORDERS, new OffsetAndMetadata(8))));
    assertThat(seeks).containsExactly("orders-0@8");
  }

  @Test
  void ifTheCommitFailsTheRecordIsReadAgain() {
    producer.commitTransactionException = new KafkaException("timed out");

    afterRollback(List.of(order(7), order(8)));

    assertThat(seeks).containsExactly("orders-0@7");
  }

  @Test
  void ifTheSendFailsTheRecordIsReadAgainAndTheTransactionIsUndone() {
    producer.sendException = new KafkaException("away");

    afterRollback(List.of(order(7), order(8)));

    assertThat(producer.transactionAborted()).isTrue();
    assertThat(producer.history()).isEmpty();
    assertThat(seeks).containsExactly("orders-0@7");
  }

  @Test
  void afterARollbackATemplateWithoutTransactionsIsRefused() {
    assertThatThrownBy(() -> plain().afterRollback())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("transaction-id-prefix");
  }

  @Test
  void noFailureAtAllIsAFailureToo() {
    Exception none = Failures.unwrapped(noException());

    assertThat(none).hasMessageContaining("no exception");
  }

  private static @Nullable Exception noException() {
    return null;
  }

  @Test
  void causesThatFormARingEnd() {
    Exception inner = new IllegalStateException();
    Exception outer = new IllegalStateException(inner);
    inner.initCause(outer);

    assertThat(Failures.isAny(outer, List.of(NumberFormatException.class))).isFalse();
  }
}
