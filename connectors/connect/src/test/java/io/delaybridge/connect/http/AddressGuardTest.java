package io.delaybridge.connect.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {

  private static final AddressGuard GUARD = new AddressGuard(List.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.8.8.8",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::10.0.0.1",
        "64:ff9b::169.254.169.254",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2002:a00:1::",
        "2001::1",
        "2001:db8::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "100::1",
        "5f00::1"
      })
  void refusesWhatIsNotOfThePublicInternet(String address) throws Exception {
    assertThat(GUARD.allows(InetAddress.getAllByName(address)[0])).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.1",
        "100.63.255.255",
        "100.128.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "223.255.255.255",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "2002:808:808::1",
        "2606:4700:4700::1111",
        "2a00:1450:4001::1"
      })
  void allowsThePublicInternet(String address) throws Exception {
    assertThat(GUARD.allows(InetAddress.getAllByName(address)[0])).isTrue();
  }

  @Test
  void allowsWhatIsListedAndNothingBesideIt() throws Exception {
    AddressGuard guard = new AddressGuard(List.of(Cidr.of("10.1.0.0/16"), Cidr.of("::1")));

    assertThat(guard.allows(InetAddress.getAllByName("10.1.2.3")[0])).isTrue();
    assertThat(guard.allows(InetAddress.getAllByName("::1")[0])).isTrue();
    assertThat(guard.allows(InetAddress.getAllByName("10.2.0.1")[0])).isFalse();
    assertThat(guard.allows(InetAddress.getAllByName("127.0.0.1")[0])).isFalse();
  }
}
