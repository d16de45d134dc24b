package io.delaybridge;

import io.delaybridge.admin.access.HostRule;
import io.delaybridge.config.ApiConfig;
import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.core.server.SimpleServerFactory;
import io.dropwizard.jetty.ConnectorFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.dropwizard.jetty.HttpsConnectorFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells which ports other machines can reach, and whether that is intended. */
final class Exposure {

  private final ApiConfig api;
  private final List<Port> application = new ArrayList<>();
  private final List<Port> admin = new ArrayList<>();

  /** A connector with its key in the configuration. */
  private record Port(String key, ConnectorFactory connector) {

    /** Returns true unless it is certain that only this machine can reach the port. */
    boolean open() {
      String host = host();
      if (host == null) {
        return true;
      }
      try {
        return !Arrays.stream(InetAddress.getAllByName(host))
            .allMatch(InetAddress::isLoopbackAddress);
      } catch (UnknownHostException e) {
        return true;
      }
    }

    boolean clear() {
      return !(connector instanceof HttpsConnectorFactory);
    }

    private @Nullable String host() {
      return connector instanceof HttpConnectorFactory http ? http.getBindHost() : null;
    }

    @Override
    public String toString() {
      String host = host();
      return key + ".bindHost is " + (host == null ? "not set" : "'" + host + "'");
    }
  }

  Exposure(ApiConfig api, ServerFactory server) {
    this.api = api;
    if (server instanceof DefaultServerFactory both) {
      ports("server.applicationConnectors", both.getApplicationConnectors(), application);
      ports("server.adminConnectors", both.getAdminConnectors(), admin);
    } else if (server instanceof SimpleServerFactory one) {
      Port port = new Port("server.connector", one.getConnector());
      application.add(port);
      admin.add(port);
    }
  }

  private static void ports(String key, List<ConnectorFactory> connectors, List<Port> ports) {
    for (int i = 0; i < connectors.size(); i++) {
      ports.add(new Port(key + "[" + i + "]", connectors.get(i)));
    }
  }

  /** Returns what is not allowed, in words that name the keys; empty if all is well. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (!api.insecure() && api.tokens() == null) {
      application.stream()
          .filter(Port::open)
          .forEach(
              port ->
                  faults.add(
                      port
                          + " and api.tokens is empty: anybody who reaches the port could do"
                          + " anything. Allowed: a token file (api.tokens), a loopback address"
                          + " such as 127.0.0.1, or api.insecure: true"));
    }
    if (!api.insecure() && !api.adminOpen()) {
      admin.stream()
          .filter(Port::open)
          .forEach(
              port ->
                  faults.add(
                      port
                          + ": this port has no authentication. Allowed: a loopback address such as"
                          + " 127.0.0.1, or api.adminOpen: true"));
    }
    return faults;
  }

  /** True if another machine can reach the application port. */
  boolean applicationOpen() {
    return application.stream().anyMatch(Port::open);
  }

  /** The hosts that calls of the application port may be addressed to. */
  HostRule applicationHosts() {
    if (api.tokens() != null) {
      return HostRule.ANY;
    }
    return applicationOpen() ? HostRule.LOCAL : HostRule.LOOPBACK;
  }

  /** The hosts that calls of the admin port, which asks for no token, may be addressed to. */
  HostRule adminHosts() {
    if (admin.stream().noneMatch(Port::open)) {
      return HostRule.LOOPBACK;
    }
    return api.adminOpen() && adminChangesNeedToken() ? HostRule.ANY : HostRule.LOCAL;
  }

  /**
   * Returns true if nobody may change anything through the admin port without a token. That is so
   * if there are tokens, or if other machines reach the port only because {@code api.adminOpen}
   * lets them look.
   */
  boolean adminChangesNeedToken() {
    return api.tokens() != null || (!api.insecure() && admin.stream().anyMatch(Port::open));
  }

  /**
   * Returns true if tokens would pass over the network in the clear, unless something else
   * encrypts.
   */
  boolean clear() {
    return application.stream().anyMatch(port -> port.open() && port.clear());
  }
}
