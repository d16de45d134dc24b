package io.delaybridge.stack;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A program that starts and stops like the bridge. */
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

  /** Packs this program into an executable jar. */
  static Path jar(Path file) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, StandIn.class.getName());
    String entry = StandIn.class.getName().replace('.', '/') + ".class";
    Files.createDirectories(file.getParent());
    try (OutputStream bytes = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(bytes, manifest);
        InputStream code = StandIn.class.getResourceAsStream("/" + entry)) {
      jar.putNextEntry(new JarEntry(entry));
      code.transferTo(jar);
    }
    return file;
  }
}
