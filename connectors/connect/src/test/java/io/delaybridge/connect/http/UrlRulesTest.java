package io.delaybridge.connect.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.connect.http.UrlRules.Allowed;
import io.delaybridge.connect.http.UrlRules.Forbidden;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlRulesTest {

  private static final UrlRules RULES =
      new UrlRules(
          Set.of("https"), Set.of(443, 8443), List.of("hooks.example.com", "*.example.org"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://hooks.example.com",
        "https://hooks.example.com:443/a?b=c",
        "https://hooks.example.com:8443/",
        "HTTPS://HOOKS.EXAMPLE.COM/",
        "https://a.example.org/",
        "https://a.b.example.org/"
      })
  void allowsWhatIsListed(String url) {
    assertThat(RULES.check(url)).isInstanceOf(Allowed.class);
  }

  @Test
  void whatIsNotAsciiIsPercentEncoded() {
    assertThat(RULES.check("https://hooks.example.com/заказ/1?ü=%20"))
        .isEqualTo(
            new Allowed(
                URI.create(
                    "https://hooks.example.com/%D0%B7%D0%B0%D0%BA%D0%B0%D0%B7/1?%C3%BC=%20")));
  }

  /** Its canonical form is a grave accent. */
  @Test
  void whatHasNoFormInAsciiIsForbidden() {
    assertThat(RULES.check("https://hooks.example.com/\u1FEF"))
        .isEqualTo(new Forbidden("the URL cannot be written in ASCII: Illegal character in path"));
  }

  @Test
  void theLengthIsThatOfWhatIsSent() {
    assertThat(RULES.check("https://hooks.example.com/" + "\u4E00".repeat(1_000)))
        .isEqualTo(new Forbidden("the URL is longer than 2048 characters of ASCII"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          https://example.com/                        | host example.com is not allowed
          https://hooks.example.com.evil.net/         | host hooks.example.com.evil.net is not allowed
          https://xhooks.example.com/                 | host xhooks.example.com is not allowed
          https://example.org/                        | host example.org is not allowed
          https://evilexample.org/                    | host evilexample.org is not allowed
          https://127.0.0.1/                          | host 127.0.0.1 is not allowed
          https://[::1]/                              | host [::1] is not allowed
          http://hooks.example.com/                   | scheme 'http' is not allowed
          file:///etc/passwd                          | scheme 'file' is not allowed
          //hooks.example.com/                        | scheme '' is not allowed
          https://hooks.example.com:22/               | port 22 is not allowed
          https://hooks.example.com:0/                | port 0 is not allowed
          https://hooks.example.com./                 | the URL has no host, or one that ends with a dot
          https:/hooks.example.com/                   | the URL has no host, or one that ends with a dot
          https://user@hooks.example.com/             | the URL has a user or a fragment
          https://evil.net#@hooks.example.com/        | the URL has a user or a fragment
          https://evil.net\\@hooks.example.com/       | the URL is malformed
          https://hooks.example.com /                 | the URL is malformed
          https://2130706433/                         | host 2130706433
          """)
  void refusesTheRestAndSaysWhy(String url, String why) {
    assertThat(RULES.check(url))
        .isInstanceOfSatisfying(
            Forbidden.class, forbidden -> assertThat(forbidden.why()).startsWith(why));
  }

  @Test
  void refusesALineBreak() {
    assertThat(RULES.check("https://hooks.example.com/\r\nHost: evil.net"))
        .isInstanceOf(Forbidden.class);
  }

  @Test
  void refusesAnEndlessUrl() {
    assertThat(RULES.check("https://hooks.example.com/" + "a".repeat(2_048)))
        .isInstanceOf(Forbidden.class);
  }

  @Test
  void aUrlOfTheOperatorNeedsNoListedHost() {
    assertThat(RULES.checkForm("https://elsewhere.net/")).isInstanceOf(Allowed.class);
    assertThat(RULES.checkForm("http://elsewhere.net/")).isInstanceOf(Forbidden.class);
  }

  @Test
  void anAsteriskIsEveryHost() {
    UrlRules all = new UrlRules(Set.of("https"), Set.of(443), List.of("*"));

    assertThat(all.check("https://anything.net/")).isInstanceOf(Allowed.class);
  }
}
