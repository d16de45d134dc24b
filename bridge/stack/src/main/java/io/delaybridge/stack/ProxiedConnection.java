package io.delaybridge.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Two sockets and two threads between them. One thread forwards requests, the other answers. */
final class ProxiedConnection {

  private static final int BUFFER = 64 << 10;

  private final TcpProxy proxy;
  private final Socket client;
  private final Socket server;
  private volatile boolean losing;

  private interface Forwarding {
    void run(InputStream from, OutputStream to) throws IOException, InterruptedException;
  }

  ProxiedConnection(TcpProxy proxy, Socket client, Socket server) throws IOException {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
  }

  void start() {
    String name = "proxy-" + proxy.port();
    daemon(name + "-requests", () -> forward(client, server, this::requests));
    daemon(name + "-answers", () -> forward(server, client, this::answers));
  }

  void close() {
    proxy.closed(this);
    // Closing a socket ends the thread that reads it.
    for (Socket socket : new Socket[] {client, server}) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  private void forward(Socket from, Socket to, Forwarding forwarding) {
    try {
      forwarding.run(from.getInputStream(), to.getOutputStream());
    } catch (IOException e) {
      // One of the two sockets was closed. The finally block closes the other.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  private void requests(InputStream from, OutputStream to) throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
      // Set before the request is sent, because the answer may arrive before the next line runs.
      losing |= proxy.isVictim(Arrays.copyOf(buffer, read));
      to.write(buffer, 0, read);
    }
  }

  private void answers(InputStream from, OutputStream to) throws IOException, InterruptedException {
    byte[] buffer = new byte[BUFFER];
    for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
      if (losing) {
        proxy.dropped(1);
        return;
      }
      TimeUnit.NANOSECONDS.sleep(proxy.delay().toNanos());
      to.write(buffer, 0, read);
    }
  }

  static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }
}
