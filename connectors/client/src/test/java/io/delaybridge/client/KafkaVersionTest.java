package io.delaybridge.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;

class KafkaVersionTest {

  @Test
  void theTestsRunWithTheVersionOfTheClientsThatTheySayTheyDo() {
    assertThat(AppInfoParser.getVersion()).isEqualTo(System.getProperty("kafka.clients"));
  }

  @Test
  void itsClassesComeFromItsOwnJar() {
    assertThat(ProducerRecord.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .endsWith("kafka-clients-" + System.getProperty("kafka.clients") + ".jar");
  }
}
