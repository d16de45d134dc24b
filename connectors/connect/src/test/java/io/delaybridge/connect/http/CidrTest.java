package io.delaybridge.connect.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "172.16.0.0/12, 172.31.255.255, true",
    "172.16.0.0/12, 172.32.0.0, false",
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, 127.0.0.2, false",
    "0.0.0.0/0, 8.8.8.8, true",
    "0.0.0.0/0, ::1, false",
    "fc00::/7, fdff::1, true",
    "fc00::/7, fe00::1, false",
    "::1, ::1, true"
  })
  void containsTheAddressesOfTheBlock(String block, String address, boolean inside)
      throws Exception {
    byte[] bytes = InetAddress.getAllByName(address)[0].getAddress();

    assertThat(Cidr.of(block).contains(bytes)).isEqualTo(inside);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "dead.beef",
        "10.0.0",
        "10.0.0.256",
        "10.0.0.0/33",
        "10.0.0.0/",
        "10.0.0.0/-1",
        "10.0.0.1/8",
        "::1/129",
        "fe80::1%eth0",
        ":::"
      })
  void refusesWhatIsNoBlock(String text) {
    assertThatThrownBy(() -> Cidr.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(text + " is not an IP address or a block of them");
  }
}
