package io.delaybridge.stack;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A program that looks like the bridge from outside, for {@link BridgeProcessTest}. */
final class StandIn {

  private StandIn() {}

  public static void main(String[] args) throws IOException {
    int port = Integer.parseInt(System.getenv("ADMIN_PORT"));
    byte[] answer =
        (String.join(" ", args) + " " + System.getenv("GREETING")).getBytes(StandardCharsets.UTF_8);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
    server.createContext(
        "/healthcheck",
        exchange -> {
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }
}
