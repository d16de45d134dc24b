package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures only. The tests in connectors/connect, where the libraries are, run the worker. */
class ConnectWorkerTest {

  @TempDir Path dir;

  @Test
  void saysWhatIsMissingOnTheClassPath() {
    ConnectWorker worker = ConnectWorker.at(dir, "127.0.0.1:1");

    assertThatThrownBy(worker::start)
        .isInstanceOf(StackException.class)
        .hasMessage(
            "worker.classpath is missing: delay-bridge-stack-worker is not on the class path.");
    assertThat(worker.isAlive()).isFalse();
  }

  @Test
  void namesThePortThatIsTaken() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ConnectWorker worker = ConnectWorker.at(dir, "127.0.0.1:1").port(socket.getLocalPort());

      assertThatThrownBy(worker::start)
          .isInstanceOf(StackException.class)
          .hasMessageEndingWith(
              "for the Connect worker is taken: choose another one with ConnectWorker.port");
    }
  }
}
