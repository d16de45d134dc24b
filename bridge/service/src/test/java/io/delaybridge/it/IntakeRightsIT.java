package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.StackSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kafka takes the right to one topic away, of an intake while the bridge runs, and gives it back.
 */
class IntakeRightsIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  private static World world;

  @BeforeAll
  static void start() {
    world =
        World.start(
            StackSettings.NONE
                .kafka(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .kafka("allow.everyone.if.no.acl.found", "true"));
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"READ", "DESCRIBE"})
  void an_intake_that_may_not_be_read_does_not_stop_the_others(AclOperation operation) {
    try (Scenario scenario = world.scenario().partitions(2).withTarget()) {
      String other = scenario.intake + "-other";
      BridgeProcess bridge = scenario.tenant(other, "{}").bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      arrives(scenario, inbox, other);
      List<AclBinding> rights = deny(other, operation);
      if (operation == AclOperation.READ) {
        // Kafka looks at rights when there is something to read.
        send(scenario, other);
      }
      await()
          .atMost(SOON)
          .until(
              () ->
                  log(bridge).contains("the bridge is not authorized to read the intake")
                      || log(bridge).contains("Topic authorization failed for topics [" + other));
      for (int i = 0; i < 20; i++) {
        arrives(scenario, inbox, scenario.intake);
      }
      assertThat(log(bridge)).doesNotContain("failed and restarts in");

      Scenario.get(
          world.admin.deleteAcls(rights.stream().map(AclBinding::toFilter).toList()).all());
      arrives(scenario, inbox, other);
    }
  }

  @Test
  void marks_that_may_not_be_read_are_tried_again_at_leisure() {
    try (Scenario scenario = world.scenario().partitions(2)) {
      String marks = scenario.deadLetters + "-marks";
      deny(marks, AclOperation.READ);
      BridgeProcess bridge = scenario.launch();
      await().atMost(SOON).until(() -> refusals(bridge, marks).size() >= 3);
      List<LocalTime> at = refusals(bridge, marks);
      assertThat(Duration.between(at.get(0), at.get(2))).isGreaterThan(Duration.ofSeconds(8));
    }
  }

  /** Returns the times at which Kafka refused the client a read of the topic. */
  private static List<LocalTime> refusals(BridgeProcess bridge, String topic) {
    return log(bridge)
        .lines()
        .filter(line -> line.contains("Not authorized to read from partition " + topic))
        .map(line -> LocalTime.parse(line.replaceFirst("^[0-9-]+T(\\d\\d:\\d\\d:\\d\\d).*", "$1")))
        .toList();
  }

  private static void arrives(Scenario scenario, Inbox inbox, String intake) {
    inbox.awaitOne(send(scenario, intake), SOON);
  }

  private static String send(Scenario scenario, String intake) {
    ProducerRecord<byte[], byte[]> any =
        scenario.record(
            null, "value", DelayHeaders.TARGET_TOPIC, scenario.target, DelayHeaders.DELAY_MS, "0");
    return Scenario.source(scenario.send(Scenario.in(intake, 0, any)));
  }

  private static String log(BridgeProcess bridge) {
    try {
      return Files.readString(bridge.log());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes one of all rights away; returns what has to be deleted to give it back. */
  private static List<AclBinding> deny(String topic, AclOperation operation) {
    List<AclBinding> rights =
        List.of(
            right(topic, AclOperation.ALL, AclPermissionType.ALLOW),
            right(topic, operation, AclPermissionType.DENY));
    Scenario.get(world.admin.createAcls(rights).all());
    return rights;
  }

  private static AclBinding right(
      String topic, AclOperation operation, AclPermissionType permission) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
        new AccessControlEntry("User:ANONYMOUS", "*", operation, permission));
  }
}
