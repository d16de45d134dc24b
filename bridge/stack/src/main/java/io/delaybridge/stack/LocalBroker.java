package io.delaybridge.stack;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A real Kafka broker in KRaft mode, in its own JVM, on 127.0.0.1. Its directory holds {@code
 * data/}, {@code server.properties}, {@code broker.log} and, while it runs, {@code broker.pid}.
 * Data of an earlier run is reused.
 *
 * <pre>{@code
 * try (LocalBroker broker = LocalBroker.at(dir).with("message.max.bytes", "2000000").start()) {
 *   use(broker.bootstrapServers());
 * }
 * }</pre>
 */
public final class LocalBroker extends ProcessServer {

  /** 16 bytes in URL-safe Base64, as Kafka requires it. */
  private static final String CLUSTER_ID = "ZGVsYXlicmlkZ2Vsb2NhbA";

  private static final Duration FORMAT_LIMIT = Duration.ofMinutes(1);
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(6);

  private final Path dir;
  private final Map<String, String> overrides = new HashMap<>();
  private final List<Listener> more = new ArrayList<>();
  private final int controllerPort = Ports.free();
  private List<String> jvmArgs = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1");
  private List<String> dump = List.of();
  private int nodeId = 1;
  private int port;
  private int replicas = 1;
  private String voters = voter();

  private LocalBroker(Path dir) {
    super(new ManagedProcess("broker", dir), STOP_LIMIT);
    this.dir = dir.toAbsolutePath();
  }

  /** Returns a broker that uses this directory, which is created if necessary. */
  public static LocalBroker at(Path dir) {
    return new LocalBroker(dir);
  }

  /** Sets the port that clients use; the default is a free port. It survives restarts. */
  public LocalBroker port(int chosen) {
    this.port = chosen;
    return this;
  }

  /** Sets a property of {@code server.properties}, from the next start on. */
  public LocalBroker with(String key, String value) {
    overrides.put(key, value);
    return this;
  }

  /**
   * Replaces the arguments of the broker's JVM. The default, 512 MiB and only the first compiler,
   * starts in two thirds of the time. Enable both compilers to measure throughput.
   */
  public LocalBroker jvm(String... arguments) {
    jvmArgs = List.of(arguments);
    return this;
  }

  /** Makes the broker write an archive of its classes when it ends, from the next start on. */
  LocalBroker dumpTo(Path archive) {
    dump = List.of(ClassArchive.leave(archive));
    return this;
  }

  /**
   * Opens another port behind a proxy, from the next start on. A client that bootstraps from {@link
   * TcpProxy#port} is never given another address. The plain port stays open.
   */
  public LocalBroker behind(TcpProxy proxy) {
    int port = Ports.free();
    proxy.retarget(port);
    more.add(new Listener("PROXIED", "PLAINTEXT", port, proxy.port()));
    return this;
  }

  /**
   * Opens another port with TLS and SCRAM authentication and enables authorization, from the next
   * start on. The plain port stays open, and its clients may do everything.
   *
   * @return the new port
   */
  public int secured(Certificates certificates) {
    int port = Ports.free();
    more.add(new Listener("SECURED", "SASL_SSL", port, port));
    with("listener.name.secured.ssl.keystore.type", "PKCS12");
    with("listener.name.secured.ssl.keystore.location", certificates.store().toString());
    with("listener.name.secured.ssl.keystore.password", Certificates.PASSWORD);
    with("listener.name.secured.sasl.enabled.mechanisms", "SCRAM-SHA-256");
    with(
        "listener.name.secured.scram-sha-256.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    with("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    with("super.users", "User:ANONYMOUS");
    return port;
  }

  /**
   * Opens another port with TLS that only admits clients with this certificate, from the next start
   * on. The plain port stays open.
   *
   * @return the new port
   */
  public int admitting(Certificates clients, Certificates own) {
    int port = Ports.free();
    more.add(new Listener("MUTUAL", "SSL", port, port));
    with("listener.name.mutual.ssl.keystore.type", "PKCS12");
    with("listener.name.mutual.ssl.keystore.location", own.store().toString());
    with("listener.name.mutual.ssl.keystore.password", Certificates.PASSWORD);
    with("listener.name.mutual.ssl.client.auth", "required");
    with("listener.name.mutual.ssl.truststore.type", "PEM");
    with("listener.name.mutual.ssl.truststore.location", clients.certificate().toString());
    return port;
  }

  LocalBroker node(int id) {
    nodeId = id;
    voters = voter();
    return this;
  }

  LocalBroker quorum(List<LocalBroker> nodes) {
    voters = String.join(",", nodes.stream().map(LocalBroker::voter).toList());
    replicas = nodes.size();
    return this;
  }

  @Override
  public LocalBroker start() {
    launch();
    awaitReady();
    return this;
  }

  /** Starts the process without waiting for it, because it may need others to become ready. */
  void launch() {
    process().claim();
    port = Ports.chosen(port, "Kafka", "LocalBroker.port");
    Path settings = dir.resolve("server.properties");
    new BrokerSettings(nodeId, port, controllerPort, more, voters, replicas, overrides)
        .write(settings, data());
    if (!Files.exists(data().resolve("meta.properties"))) {
      format(settings);
    }
    process().start(java(dump, "kafka.Kafka", settings.toString()), Map.of());
  }

  void awaitReady() {
    process().awaitReady(START_LIMIT, () -> Probe.kafka(port, nodeId));
  }

  /** Returns the address for {@code bootstrap.servers}, once started. */
  public String bootstrapServers() {
    if (port == 0) {
      throw new StackException("The broker has no port before its first start.");
    }
    return "127.0.0.1:" + port;
  }

  private Path data() {
    return dir.resolve("data");
  }

  private String voter() {
    return nodeId + "@127.0.0.1:" + controllerPort;
  }

  private void format(Path settings) {
    ManagedProcess format = new ManagedProcess("format", dir);
    List<String> tool =
        java(
            List.of(),
            "kafka.tools.StorageTool",
            "format",
            "-t",
            CLUSTER_ID,
            "-c",
            settings.toString());
    format.start(tool, Map.of());
    if (format.awaitEnd(FORMAT_LIMIT) != 0) {
      throw format.failure("could not prepare the broker's data directory");
    }
  }

  private List<String> java(List<String> more, String main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Java.command());
    command.addAll(classArchive());
    command.addAll(jvmArgs);
    command.addAll(more);
    command.add("-Dlogback.configurationFile=" + BrokerClassPath.writeLogging(dir));
    command.addAll(List.of("-cp", BrokerClassPath.read(), main));
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * Returns the argument for the archive that {@code -Dbroker.archive} names, if it exists. {@link
   * ClassArchive} creates it, and the build's tests set the property.
   */
  private static List<String> classArchive() {
    String archive = System.getProperty("broker.archive");
    return archive == null || !Files.exists(Path.of(archive))
        ? List.of()
        : List.of(ClassArchive.use(Path.of(archive)));
  }
}
