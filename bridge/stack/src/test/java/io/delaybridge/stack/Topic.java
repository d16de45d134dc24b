package io.delaybridge.stack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A topic with one partition, as the tests see it. */
record Topic(String bootstrapServers, String name) {

  private static final long LIMIT_S = 20;

  void create(int replicas) throws ExecutionException, InterruptedException, TimeoutException {
    try (Admin admin = Admin.create(config())) {
      admin
          .createTopics(List.of(new NewTopic(name, 1, (short) replicas)))
          .all()
          .get(LIMIT_S, TimeUnit.SECONDS);
    }
  }

  void send(String value) throws ExecutionException, InterruptedException, TimeoutException {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(config(), new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(name, value)).get(LIMIT_S, TimeUnit.SECONDS);
    }
  }

  List<String> readAll() {
    TopicPartition partition = new TopicPartition(name, 0);
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(config(), new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
      }
    }
    return values;
  }

  private Map<String, Object> config() {
    return Map.of("bootstrap.servers", bootstrapServers);
  }
}
