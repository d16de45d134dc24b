package io.delaybridge.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delaybridge.client.DelayedRecords;
import java.time.Duration;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.mock.MockProducerFactory;

class KafkaDelayOperationsTest {

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final DelayOperations later =
      DelayOperations.of(
          new KafkaTemplate<>(new MockProducerFactory<>(() -> producer)), "delay-intake");

  private static ProducerRecord<Object, Object> request(String header) {
    ProducerRecord<Object, Object> request =
        new ProducerRecord<>("delay-intake", new byte[0], new byte[0]);
    DelayedRecords.to("reminders")
        .after(Duration.ofHours(1))
        .record("")
        .headers()
        .forEach(request.headers()::add);
    request.headers().add(header, new byte[0]);
    return request;
  }

  @Test
  void aRequestWithHeadersOfItsOwnIsSent() {
    var unused = later.send(request("tenant"));

    assertThat(producer.history()).hasSize(1);
  }

  @Test
  void aRequestThatTheBridgeWouldRefuseIsNotSent() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> later.send(request("delay-timezone")))
        .withMessageContaining("did you mean delay-zone?");
    assertThat(producer.history()).isEmpty();
  }
}
