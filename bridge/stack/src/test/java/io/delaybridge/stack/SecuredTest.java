package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers with TLS and authentication. */
class SecuredTest {

  @TempDir Path dir;

  @Test
  void redisSpeaksTlsAndKnowsUsers() throws Exception {
    Certificates certificates = Certificates.in(dir.resolve("certificates"));
    LocalRedis redis =
        LocalRedis.at(dir.resolve("redis")).with("user", "reader on >secret ~* +get");
    int port = redis.secured(certificates);
    try (redis) {
      redis.start();
      redis.command("SET", "key", "value");
      try (SSLSocket socket =
          (SSLSocket) trusting(certificates).getSocketFactory().createSocket("127.0.0.1", port)) {
        socket
            .getOutputStream()
            .write("AUTH reader secret\r\nGET key\r\nDEL key\r\n".getBytes(StandardCharsets.UTF_8));
        BufferedReader answers =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        assertThat(answers.readLine()).isEqualTo("+OK");
        assertThat(answers.readLine()).isEqualTo("$5");
        assertThat(answers.readLine()).isEqualTo("value");
        assertThat(answers.readLine()).startsWith("-NOPERM");
      }
    }
  }

  @Test
  void kafkaSpeaksTlsAndKnowsUsers() throws Exception {
    Certificates certificates = Certificates.in(dir.resolve("certificates"));
    LocalBroker broker = LocalBroker.at(dir.resolve("kafka"));
    int port = broker.secured(certificates);
    try (broker) {
      broker.start();
      addUser(broker, "reader", "secret");
      try (Admin reader = Admin.create(user(port, certificates, "reader", "secret"))) {
        assertThat(reader.describeCluster().nodes().get()).hasSize(1);
        assertThatThrownBy(() -> createTopic(reader))
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(TopicAuthorizationException.class);
      }
    }
  }

  private static void createTopic(Admin admin) throws Exception {
    admin.createTopics(List.of(new NewTopic("topic", 1, (short) 1))).all().get();
  }

  private static void addUser(LocalBroker broker, String name, String password) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin
          .alterUserScramCredentials(
              List.of(
                  new UserScramCredentialUpsertion(
                      name, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), password)))
          .all()
          .get();
    }
  }

  private static Map<String, Object> user(
      int port, Certificates certificates, String name, String password) {
    return Map.of(
        "bootstrap.servers",
        "127.0.0.1:" + port,
        "security.protocol",
        "SASL_SSL",
        "ssl.truststore.type",
        "PEM",
        "ssl.truststore.location",
        certificates.certificate().toString(),
        "sasl.mechanism",
        "SCRAM-SHA-256",
        "sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
            .formatted(name, password));
  }

  private static SSLContext trusting(Certificates certificates) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(certificates.store())) {
      trusted.load(in, Certificates.PASSWORD.toCharArray());
    }
    trusted.setCertificateEntry("trusted", trusted.getCertificate("server"));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }
}
