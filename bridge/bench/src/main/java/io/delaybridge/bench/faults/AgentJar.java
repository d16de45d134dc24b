package io.delaybridge.bench.faults;

import io.delaybridge.bench.faults.agent.Agent;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import net.bytebuddy.agent.builder.AgentBuilder;

/** Packs the agent, and nothing else of this module, for the JVM of a bridge. */
final class AgentJar {

  /** The name of the orders file in the directory of each bridge. */
  static final String ORDERS = "orders";

  private AgentJar() {}

  /** Writes the jar and returns the JVM arguments that load it. */
  static List<String> arguments(Path dir) {
    Path jar = dir.resolve("agent.jar").toAbsolutePath();
    String folder = Agent.class.getPackageName().replace('.', '/');
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream packed = new JarOutputStream(out, manifest());
        Stream<String> classes = names(folder)) {
      for (String name : classes.toList()) {
        packed.putNextEntry(new ZipEntry(name));
        try (InputStream in = Agent.class.getResourceAsStream("/" + name)) {
          if (in == null) {
            throw new FaultsException(name + " is missing from the class path");
          }
          in.transferTo(packed);
        }
        packed.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.of("-javaagent:" + jar + "=" + ORDERS);
  }

  private static Manifest manifest() {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(new Attributes.Name("Premain-Class"), Agent.class.getName());
    main.put(Attributes.Name.CLASS_PATH, home(AgentBuilder.class).toUri().toString());
    return manifest;
  }

  /** Returns the names of the agent's classes as jar entries. */
  private static Stream<String> names(String folder) throws IOException {
    Path home = home(Agent.class);
    if (Files.isDirectory(home)) {
      try (Stream<Path> files = Files.list(home.resolve(folder))) {
        return files.map(file -> folder + "/" + file.getFileName()).toList().stream();
      }
    }
    try (JarFile jar = new JarFile(home.toFile())) {
      return jar.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.startsWith(folder) && name.endsWith(".class"))
          .toList()
          .stream();
    }
  }

  private static Path home(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new FaultsException("no place is known of " + type, e);
    }
  }
}
