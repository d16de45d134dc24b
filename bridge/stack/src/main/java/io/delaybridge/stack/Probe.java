package io.delaybridge.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.jspecify.annotations.Nullable;

/** Probes that check whether a server on 127.0.0.1 answers. */
final class Probe {

  private static final int MILLIS = 2_000;

  private Probe() {}

  /** Returns whether a broker answers and is registered in its cluster under this number. */
  static boolean kafka(int port, int nodeId) {
    // The client would log every attempt on a closed port.
    return accepts(port) && isRegistered(port, nodeId);
  }

  /** Returns whether Redis answers and has loaded its data. */
  static boolean redis(int port) {
    return redis(port, null);
  }

  /** The same, for one with a password. */
  static boolean redis(int port, @Nullable String password) {
    if (!accepts(port)) {
      return false;
    }
    try (Resp redis = new Resp(port, Duration.ofMillis(MILLIS), password)) {
      return "PONG".equals(redis.command("PING"));
    } catch (IOException | StackException e) {
      // StackException: Redis answers LOADING while it reads its data.
      return false;
    }
  }

  private static boolean isRegistered(int port, int nodeId) {
    Map<String, Object> config =
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:" + port,
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, MILLIS,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, MILLIS);
    Admin admin = Admin.create(config);
    try {
      return admin.describeCluster().nodes().get(MILLIS, TimeUnit.MILLISECONDS).stream()
          .anyMatch(node -> node.id() == nodeId);
    } catch (ExecutionException | TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      throw StackException.interrupted("Kafka on port " + port, e);
    } finally {
      // Without a limit, close() waits for the answer of a broker that may be frozen.
      admin.close(Duration.ZERO);
    }
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
