package io.delaybridge.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
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
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.ContainerProperties.EOSMode;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.mock.MockProducerFactory;
import org.springframework.kafka.support.serializer.DelegatingByTypeSerializer;
import org.springframework.kafka.support.serializer.DeserializationException;
import org.springframework.kafka.support.serializer.SerializationUtils;

class DelayBridgeRecovererTest {

  private static final RetryLater LATER =
      RetryLater.with(new Backoff(3, Duration.ofSeconds(5), Duration.ofSeconds(60)));
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
  private static final byte[] KEY = {0, -1};
  private static final byte[] VALUE = {-128, 10};

  private final MockProducer<Object, Object> producer =
      new MockProducer<>(true, null, textsAndBytes(), textsAndBytes());
  private final List<String> seeks = new ArrayList<>();
  private final List<String> commits = new ArrayList<>();

  private static Serializer<Object> textsAndBytes() {
    return new DelegatingByTypeSerializer(
        Map.of(String.class, new StringSerializer(), byte[].class, new ByteArraySerializer()));
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
                  case "commitSync" -> {
                    commits.add(String.valueOf(arguments[0]));
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
                  case "getContainerProperties" -> {
                    ContainerProperties properties = new ContainerProperties("orders");
                    properties.setAckMode(AckMode.MANUAL_IMMEDIATE);
                    yield properties;
                  }
                  default -> null;
                });
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1"})
  void aTemplateThatDoesNotWaitForAllReplicasIsRefused(String acks) {
    KafkaTemplate<Object, Object> template =
        new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(Map.of("acks", acks)));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayBridgeRecoverer.with(template, LATER))
        .withMessageStartingWith(
            "acks of the recoverer's template is '" + acks + "', allowed: all");
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "-1", " ALL"})
  void aTemplateThatWaitsForAllReplicasIsTaken(String acks) {
    KafkaTemplate<Object, Object> template =
        new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(Map.of("acks", acks)));

    assertThat(DelayBridgeRecoverer.with(template, LATER)).isNotNull();
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
    assertThat(header(sent, "delay-target-partition")).isEqualTo("0");
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

  /** The bridge delivers nothing to it, so it cannot be retried. */
  @Test
  void aRecordOfTheBridgesDeadLettersIsGivenUpAtOnce() {
    List<String> given = new ArrayList<>();
    List<Verdict<?, ?>> told = new ArrayList<>();

    plain()
        .deadLetters((record, consumer, failure) -> given.add(record.topic()))
        .listener((record, verdict) -> told.add(verdict))
        .accept(
            new ConsumerRecord<>("delay-deadletter", 0, 7, "key", "value"),
            new IllegalStateException());

    assertThat(given).containsExactly("delay-deadletter");
    assertThat(told).singleElement().isInstanceOf(Verdict.Dead.class);
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void whoGetsADeadLetterOfSpringBeginsWithTheFirstAttempt() {
    List<Header> given = new ArrayList<>();
    ConsumerRecord<Object, Object> last = order(7);
    last.headers().add("delay-consumer-attempt", "3".getBytes(UTF_8)).add("trace", new byte[0]);

    plain()
        .deadLetters((record, consumer, failure) -> record.headers().forEach(given::add))
        .accept(last, new IllegalStateException());

    assertThat(given).extracting(Header::key).containsExactly("trace");
  }

  @Test
  void whatCouldNotBeDeserializedIsGivenUpWithItsBytesWhateverTheListenerThrew() {
    ConsumerRecord<Object, Object> undecoded = new ConsumerRecord<>("orders", 0, 7, null, null);
    Exception cause = new IllegalStateException("not JSON");
    SerializationUtils.deserializationException(undecoded.headers(), KEY, cause, true);
    SerializationUtils.deserializationException(undecoded.headers(), VALUE, cause, false);

    plain().deadLetterTopic("dead").accept(undecoded, new NullPointerException());

    ProducerRecord<Object, Object> sent = producer.history().get(0);
    assertThat(sent.topic()).isEqualTo("dead");
    assertThat(sent.key()).isEqualTo(KEY);
    assertThat(sent.value()).isEqualTo(VALUE);
    assertThat(sent.headers()).extracting(Header::key).allMatch(name -> name.startsWith("delay-"));
  }

  @Test
  void whatCouldNotBeDeserializedInABatchDoesNotCondemnTheOtherRecords() {
    Exception failure =
        new ListenerExecutionFailedException(
            "batch", new DeserializationException("not JSON", VALUE, false, new Exception()));

    plain().deadLetterTopic("dead").accept(order(7), failure);

    ProducerRecord<Object, Object> sent = producer.history().get(0);
    assertThat(sent.topic()).isEqualTo("delay-intake");
    assertThat(sent.value()).isEqualTo("value");
  }

  @Test
  void aListenerOfTheRecovererThatFailsDoesNotHaveTheRecordRetriedAgain() {
    plain()
        .listener(
            (record, verdict) -> {
              throw new IllegalStateException("no registry");
            })
        .accept(order(7), new IllegalStateException());

    assertThat(producer.history()).hasSize(1);
  }

  private void handle() {
    plain()
        .errorHandler()
        .handleRemaining(
            new IllegalStateException("not now"),
            List.of(order(7), order(8)),
            consumer(),
            container());
  }

  @Test
  void theOffsetOfARetriedRecordIsCommittedWhereTheListenerWouldHaveDoneIt() {
    handle();

    assertThat(producer.history()).hasSize(1);
    assertThat(seeks).containsExactly("orders-0@8");
    assertThat(commits).singleElement().asString().contains("offset=8");
  }

  @Test
  void whatCouldNotBeSentIsReadAgainAfterASecond() {
    producer.sendException = new KafkaException("away");
    long begun = System.nanoTime();

    assertThatThrownBy(this::handle).isInstanceOf(RuntimeException.class);

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(1));
    assertThat(seeks).contains("orders-0@7");
    assertThat(commits).isEmpty();
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
