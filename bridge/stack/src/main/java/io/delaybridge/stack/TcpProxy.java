package io.delaybridge.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A port of 127.0.0.1 that forwards to another one and can fail as a network does. Connections that
 * are open and connections to come are meant alike. May be used by several threads.
 */
public final class TcpProxy implements AutoCloseable {

  private final ServerSocket listener;
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Predicate<byte[]>> victim = new AtomicReference<>();
  private final AtomicInteger dropped = new AtomicInteger();
  private volatile int target;
  private volatile boolean refusing;
  private volatile Duration delay = Duration.ZERO;

  private TcpProxy(ServerSocket listener, int target) {
    this.listener = listener;
    this.target = target;
  }

  /** Listens on a free port from now on. */
  public static TcpProxy to(int target) {
    try {
      ServerSocket listener = new ServerSocket();
      listener.setReuseAddress(true);
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.free()));
      TcpProxy proxy = new TcpProxy(listener, target);
      ProxiedConnection.daemon("proxy-" + listener.getLocalPort(), proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where clients connect to. */
  public int port() {
    return listener.getLocalPort();
  }

  /**
   * Where connections go from now on; those that are open are cut, as their peer is another one.
   */
  public void retarget(int port) {
    lead(port);
    cut();
  }

  /** Where new connections go from now on; those that are open stay with whom they have. */
  public void lead(int port) {
    target = port;
  }

  /** Closes every connection; clients may connect again at once. */
  public void cut() {
    connections.forEach(ProxiedConnection::close);
  }

  /** Closes every connection, and each new one at once, until {@link #allow}. */
  public void refuse() {
    refusing = true;
    cut();
  }

  /** Lets clients connect again. */
  public void allow() {
    refusing = false;
  }

  /** Holds back each piece of an answer for so long. */
  public void delay(Duration each) {
    delay = each;
  }

  /**
   * Loses one answer: the next request that matches is forwarded, and when the server begins to
   * answer, that answer is dropped and the connection closed. So the server has done what it was
   * asked, or something asked before it on the same connection, and the client cannot know.
   *
   * @param request tells by the bytes that were read at once, usually one request or several
   */
  public void dropAnswerTo(Predicate<byte[]> request) {
    victim.set(request);
  }

  /** How many answers were dropped so far. */
  public int dropped() {
    return dropped.get();
  }

  /** How many connections are open. */
  public int connections() {
    return connections.size();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      cut();
    }
  }

  /** Whether this request is the one whose answer is to be lost; tells so only once. */
  boolean isVictim(byte[] request) {
    Predicate<byte[]> wanted = victim.get();
    return wanted != null && wanted.test(request) && victim.compareAndSet(wanted, null);
  }

  void dropped(int answers) {
    dropped.addAndGet(answers);
  }

  void closed(ProxiedConnection connection) {
    connections.remove(connection);
  }

  Duration delay() {
    return delay;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        connect(listener.accept());
      } catch (IOException e) {
        // The listener was closed; the loop ends.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    Socket server = new Socket();
    try {
      if (refusing) {
        throw new IOException("refused");
      }
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 2_000);
    } catch (IOException e) {
      // As if nothing listened: the client finds the connection closed.
      server.close();
      client.close();
      return;
    }
    ProxiedConnection connection = new ProxiedConnection(this, client, server);
    connections.add(connection);
    connection.start();
    if (refusing || listener.isClosed()) {
      connection.close();
    }
  }
}
