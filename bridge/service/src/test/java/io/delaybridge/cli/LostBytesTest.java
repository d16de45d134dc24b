package io.delaybridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LostBytesTest {

  private static final String ASCII = "ANSI_X3.4-1968";
  private static final String[] LOST = {"send", "--value", "Gr\uFFFD\uFFFDe"};

  private static String wrong(String encoding, Map<String, String> environment) {
    return new LostBytes(encoding, environment).inArguments(LOST).orElse("nothing");
  }

  @Test
  void anArgumentIsNamedWithTheLocaleInWhichItIsNoText() {
    assertThat(wrong(ASCII, Map.of("LANG", "de_DE.UTF-8", "LC_ALL", "C")))
        .isEqualTo(
            "argument 3, 'Gr??e', has bytes that are not text in ANSI_X3.4-1968, the encoding of the"
                + " locale (LC_ALL=C): set a UTF-8 locale, such as LC_ALL=C.UTF-8");
  }

  @Test
  void theLocaleIsThatOfTheFirstVariableThatIsSet() {
    assertThat(wrong(ASCII, Map.of("LC_ALL", "", "LC_CTYPE", "POSIX", "LANG", "C")))
        .contains("(LC_CTYPE=POSIX)");
    assertThat(wrong(ASCII, Map.of("LANG", "C"))).contains("(LANG=C)");
    assertThat(wrong(ASCII, Map.of())).contains("(LC_ALL, LC_CTYPE and LANG are not set)");
  }

  @Test
  void bytesThatAreNotUtf8AreRefusedInAUtf8LocaleToo() {
    assertThat(wrong("UTF-8", Map.of("LANG", "C.UTF-8")))
        .endsWith("(LANG=C.UTF-8): give other bytes with --file or on standard input");
  }

  @Test
  void aLineOfAFileIsNamed() {
    assertThat(new LostBytes(ASCII, Map.of("LANG", "C")).inFile("config.yml", "a: b\nc: \uFFFD\n"))
        .hasValue(
            "config.yml, line 2: there are bytes that are not UTF-8, or a variable whose value is not"
                + " text in ANSI_X3.4-1968, the encoding of the locale (LANG=C)");
  }

  @Test
  void whatWasReadAsItWasWrittenIsTaken() {
    LostBytes utf8 = new LostBytes("UTF-8", Map.of());
    assertThat(utf8.inArguments("send", "--value", "Grüße ?")).isEmpty();
    assertThat(utf8.inFile("config.yml", "# Grüße\n")).isEmpty();
  }
}
