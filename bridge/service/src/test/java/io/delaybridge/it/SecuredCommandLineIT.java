package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.it.CommandLine.Result;
import io.delaybridge.stack.Certificates;
import io.delaybridge.stack.LocalBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The commands on a Kafka that wants TLS and a password, as a user who may write to the intake and
 * read it, and nothing else.
 */
@Tag("topology")
class SecuredCommandLineIT {

  private static final String INTAKE = "delay-intake";
  private static final String USER = "somebody";
  private static final String PASSWORD = "geheim-ä";
  private static final String SEND = "send --target x --delay PT1H --value ";
  private static final String TAIL = "tail --from-beginning --max 1 " + INTAKE;

  private static Path dir;
  private static LocalBroker kafka;
  private static Certificates certificates;
  private static int port;
  private static CommandLine command;

  @BeforeAll
  static void start() throws Exception {
    dir = World.directory();
    certificates = Certificates.in(dir.resolve("certificates"));
    kafka = LocalBroker.at(dir.resolve("kafka"));
    port = kafka.secured(certificates);
    kafka.start();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(Set.of(new NewTopic(INTAKE, 1, (short) 1))).all().get();
      admin
          .alterUserScramCredentials(
              List.of(
                  new UserScramCredentialUpsertion(
                      USER, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), PASSWORD)))
          .all()
          .get();
      admin.createAcls(List.of(may(AclOperation.WRITE), may(AclOperation.READ))).all().get();
    }
    command =
        new CommandLine(
            dir,
            Map.of("LC_ALL", "C.UTF-8", "KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1", "SECRET", "x"));
    Files.writeString(dir.resolve("good.properties"), properties(PASSWORD));
    Files.writeString(dir.resolve("wrong.properties"), properties("wrong"));
    Files.writeString(dir.resolve("config.yml"), config());
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  private static AclBinding may(AclOperation operation) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, INTAKE, PatternType.LITERAL),
        new AccessControlEntry("User:" + USER, "*", operation, AclPermissionType.ALLOW));
  }

  private static String jaas(String password) {
    return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
        .formatted(USER, password);
  }

  private static String properties(String password) {
    return """
        bootstrap.servers=127.0.0.1:%d
        security.protocol=SASL_SSL
        ssl.truststore.type=PEM
        ssl.truststore.location=%s
        sasl.mechanism=SCRAM-SHA-256
        sasl.jaas.config=%s
        """
        .formatted(port, certificates.certificate(), jaas(password));
  }

  /** What is not about Kafka is of another machine, and not read. */
  private static String config() {
    return """
        kafka:
          bootstrapServers: elsewhere.invalid:9093
          properties:
            security.protocol: SASL_SSL
            ssl.truststore.type: PEM
            ssl.truststore.location: %s
            sasl.mechanism: SCRAM-SHA-256
            sasl.jaas.config: '%s'
        redis:
          tls: {trust: /no/such/file}
        api:
          tokens: /no/such/file
        """
        .formatted(certificates.certificate(), jaas("${SECRET}"));
  }

  @Test
  void a_file_of_client_properties_is_enough() throws Exception {
    command.run(SEND + "first --properties good.properties").ok();

    assertThat(command.run(TAIL + " --properties good.properties").ok().out())
        .contains("delay-intake/0/0", "delay-target-topic=x");
  }

  @Test
  void so_is_the_configuration_of_a_bridge_with_its_variables() throws Exception {
    String options = " --config config.yml --bootstrap 127.0.0.1:" + port;
    String secret = "export SECRET='" + PASSWORD + "';";
    command.run(SEND + "second" + options, secret).ok();

    assertThat(command.run(TAIL + options, secret).ok().out()).contains("delay-intake/0/0");
  }

  @Test
  void a_wrong_password_is_named_at_once() throws Exception {
    for (String line : List.of(SEND + "none", TAIL)) {
      Result result = command.run(line + " --properties wrong.properties");

      assertThat(result.status()).isEqualTo(1);
      assertThat(result.err()).contains("Authentication failed");
    }
  }

  @Test
  void a_user_without_the_right_is_told_so() throws IOException, InterruptedException {
    for (String line : List.of(SEND + "none --intake other", "tail other")) {
      Result result = command.run(line + " --properties good.properties");

      assertThat(result.status()).isEqualTo(1);
      assertThat(result.err()).contains("Not authorized to access topics: [other]");
    }
  }
}
