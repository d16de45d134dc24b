package io.delaybridge.stack;

/**
 * A listener of a broker.
 *
 * @param name the name in the broker's settings, in capitals
 * @param protocol {@code PLAINTEXT}, {@code SSL} or {@code SASL_SSL}
 * @param port the port that the broker listens on
 * @param advertised the port that the broker tells clients; it differs if a proxy is in front
 */
record Listener(String name, String protocol, int port, int advertised) {

  String bind() {
    return name + "://127.0.0.1:" + port;
  }

  String advertise() {
    return name + "://127.0.0.1:" + advertised;
  }

  String security() {
    return name + ":" + protocol;
  }
}
