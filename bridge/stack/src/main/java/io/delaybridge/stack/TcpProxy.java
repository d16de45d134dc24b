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
 * A port on 127.0.0.1 that forwards to another one and can fail like a network. Unless stated
 * otherwise, a method affects both open and new connections. Several threads may use an instance.
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

  /** Returns the port that clients connect to. */
  public int port() {
    return listener.getLocalPort();
  }

  /**
   * Sets the port that connections go to from now on. Open connections are cut, because they lead
   * to another peer.
   */
  public void retarget(int port) {
    lead(port);
    cut();
  }

  /** Sets the port that new connections go to from now on. Open connections keep their peer. */
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

  /** Delays each piece of an answer by this duration. */
  public void delay(Duration each) {
    delay = each;
  }

  /**
   * Loses one answer. The next matching request is forwarded. When the server begins to answer,
   * that answer is dropped and the connection is closed. The server has then executed this request,
   * or an earlier one on the same connection, and the client cannot know.
   *
   * @param request tests the bytes of one read, usually one or more requests
   */
  public void dropAnswerTo(Predicate<byte[]> request) {
    victim.set(request);
  }

  /** Returns the number of answers dropped so far. */
  public int dropped() {
    return dropped.get();
  }

  /** Returns the number of open connections. */
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

  /** Returns whether the answer to this request is to be lost. Returns true only once. */
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
        // The loop ends if the listener was closed.
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
      // The client finds the connection closed, as if nothing listened.
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
