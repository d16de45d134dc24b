package io.delaybridge.stack;

/**
 * One more listener of a broker, beside the plain one that the brokers themselves use.
 *
 * @param name as the broker's settings call it, in capitals
 * @param protocol {@code PLAINTEXT}, {@code SSL} or {@code SASL_SSL}
 * @param port that it listens on
 * @param advertised the port that clients are told, another one if a proxy is in front
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
