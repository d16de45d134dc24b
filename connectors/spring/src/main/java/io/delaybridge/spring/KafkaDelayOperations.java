package io.delaybridge.spring;

import io.delaybridge.client.DelayedRecords;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.support.SendResult;

/** Sends with a template. */
record KafkaDelayOperations(KafkaOperations<Object, Object> operations, String intake)
    implements DelayOperations {

  @Override
  public CompletableFuture<SendResult<Object, Object>> send(
      ProducerRecord<Object, Object> request) {
    return operations.send(DelayedRecords.checked(request));
  }
}
