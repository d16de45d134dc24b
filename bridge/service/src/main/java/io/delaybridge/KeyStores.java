package io.delaybridge;

import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.core.server.SimpleServerFactory;
import io.dropwizard.jetty.ConnectorFactory;
import io.dropwizard.jetty.HttpsConnectorFactory;
import io.dropwizard.jetty.SslReload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the HTTPS connectors read their key and trust stores again when one of these files changes.
 * New connections then see the new certificate; open ones go on. A store that cannot be read
 * changes nothing, and is reported once.
 */
final class KeyStores implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(KeyStores.class);
  private static final FileTime GONE = FileTime.fromMillis(0);

  private final List<Path> files;
  private volatile Collection<SslReload> connectors = List.of();
  private Map<Path, FileTime> seen;

  /** Notes the state of the files as they are now, before they are read. */
  KeyStores(ServerFactory server) {
    this.files =
        connectors(server)
            .filter(HttpsConnectorFactory.class::isInstance)
            .map(HttpsConnectorFactory.class::cast)
            .flatMap(
                each -> Stream.of(path(each.getKeyStorePath()), path(each.getTrustStorePath())))
            .filter(Objects::nonNull)
            .toList();
    this.seen = now();
  }

  private static @Nullable Path path(@Nullable String name) {
    return name == null ? null : Path.of(name);
  }

  private static Stream<ConnectorFactory> connectors(ServerFactory server) {
    if (server instanceof DefaultServerFactory both) {
      List<ConnectorFactory> all = new ArrayList<>(both.getApplicationConnectors());
      all.addAll(both.getAdminConnectors());
      return all.stream();
    }
    return server instanceof SimpleServerFactory one ? Stream.of(one.getConnector()) : Stream.of();
  }

  /** Returns false if there is nothing to watch. */
  boolean any() {
    return !files.isEmpty();
  }

  /** Sets the connectors of the server that was started. */
  void of(Collection<SslReload> started) {
    connectors = List.copyOf(started);
  }

  private Map<Path, FileTime> now() {
    Map<Path, FileTime> times = new HashMap<>();
    for (Path file : files) {
      try {
        times.put(file, Files.getLastModifiedTime(file));
      } catch (IOException e) {
        LOG.debug("The modification time of {} cannot be read", file, e);
        times.put(file, GONE);
      }
    }
    return times;
  }

  /** Checks the files once. */
  @Override
  public void run() {
    Map<Path, FileTime> now = now();
    if (!connectors.isEmpty() && !now.equals(seen)) {
      seen = now;
      try {
        for (SslReload connector : connectors) {
          connector.reloadDryRun();
        }
        for (SslReload connector : connectors) {
          connector.reload();
        }
        LOG.info("Key stores were reloaded: {}", files);
      } catch (Exception e) {
        LOG.warn(
            "Changed key stores cannot be loaded, the previous ones stay in use: {}", files, e);
      }
    }
  }
}
