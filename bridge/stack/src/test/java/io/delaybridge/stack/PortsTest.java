package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortsTest {

  @Test
  void aPortIsFreeToListenOnAndMarkedForOtherJvms() throws Exception {
    int port = Ports.free();

    new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    assertThatExceptionOfType(BindException.class)
        .isThrownBy(() -> new DatagramSocket(port, InetAddress.getLoopbackAddress()).close());
  }
}
