package io.delaybridge.stack;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;

/** TCP ports of 127.0.0.1. */
public final class Ports {

  /**
   * The lowest port. The ports are below the range from which Linux and macOS take the local ports
   * of outgoing connections. Otherwise, a client that keeps trying to reach a stopped server can
   * get the server's own port and keep the server from coming back.
   */
  private static final int LOWEST = 20_000;

  private static final int HIGHEST = 32_000;
  private static final int TRIES = 1_000;
  private static final int BUS = 10_000;

  /**
   * The ports that this JVM has given away. Each is held as a UDP port until the JVM ends. This
   * keeps other JVMs (test forks) from giving it away before the intended server listens.
   */
  private static final Queue<DatagramSocket> CLAIMS = new ConcurrentLinkedQueue<>();

  private Ports() {}

  /**
   * Returns a port that nothing listens on. Nobody else gets it as long as this JVM lives.
   *
   * @throws StackException if there is none
   */
  public static int free() {
    return free(LOWEST, HIGHEST, port -> isFree(port) && claim(port));
  }

  /**
   * Returns a port like {@link #free()}. The same holds for the port ten thousand above, which the
   * nodes of a Redis Cluster use to communicate.
   */
  static int freeWithBus() {
    return free(
        LOWEST,
        HIGHEST - BUS,
        port -> isFree(port) && isFree(port + BUS) && claim(port) && claim(port + BUS));
  }

  private static int free(int lowest, int highest, IntPredicate good) {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(lowest, highest);
      if (good.test(port)) {
        return port;
      }
    }
    throw new StackException(
        "No free port found between " + lowest + " and " + highest + " on 127.0.0.1.");
  }

  /**
   * Checks that a port can be listened on.
   *
   * @param what what the port is for, as in "Kafka"
   * @param option how to choose another one, as in "-Dkafka.port=..."
   * @throws StackException if it cannot, with one line that names the port, its use and the option
   */
  public static void requireFree(int port, String what, String option) {
    if (!isFree(port)) {
      throw new StackException(
          "Port " + port + " for " + what + " is taken: choose another one with " + option);
    }
  }

  /** Returns the chosen port if it can be listened on, or any free port if it is 0. */
  static int chosen(int port, String what, String option) {
    if (port == 0) {
      return free();
    }
    requireFree(port, what, option);
    return port;
  }

  private static boolean claim(int port) {
    try {
      CLAIMS.add(new DatagramSocket(on(port)));
      return true;
    } catch (SocketException e) {
      return false;
    }
  }

  private static InetSocketAddress on(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(on(port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
