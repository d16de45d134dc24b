package io.delaybridge.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sourceforge.argparse4j.ArgumentParsers;
import net.sourceforge.argparse4j.inf.ArgumentParser;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import net.sourceforge.argparse4j.inf.Subparser;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class SendCommandTest {

  private static final String SEND = "send --target x --value v --id a ";

  private final SendCommand command = new SendCommand();
  private final ArgumentParser parser = ArgumentParsers.newFor("delay-bridge").build();
  private final Subparser send = parser.addSubparsers().addParser("send");

  SendCommandTest() {
    command.configure(send);
  }

  /** Splits this line as a shell does: at blanks, except between quotes. */
  private static String[] words(String line) {
    List<String> words = new ArrayList<>();
    String[] parts = line.split("'", -1);
    for (int i = 0; i < parts.length; i++) {
      if (i % 2 == 1) {
        words.add(parts[i]);
      } else {
        Arrays.stream(parts[i].split(" ")).filter(word -> !word.isEmpty()).forEach(words::add);
      }
    }
    return words.toArray(new String[0]);
  }

  private Map<String, String> headers(String line) throws IOException, ArgumentParserException {
    ProducerRecord<byte[], byte[]> record = command.request(parser.parseArgs(words(line)));
    Map<String, String> texts = new TreeMap<>();
    for (Header header : record.headers()) {
      assertThat(texts.put(header.key(), new String(header.value(), UTF_8))).isNull();
    }
    return texts;
  }

  @Test
  void aMessageRepeatsAfterATime() throws Exception {
    assertThat(headers(SEND + "--delay PT1M --every PT15M --count 3 --missed all"))
        .isEqualTo(
            Map.of(
                "delay-target-topic", "x",
                "delay-duration", "PT1M",
                "delay-every", "PT15M",
                "delay-count", "3",
                "delay-missed", "all",
                "delay-id", "a"));
  }

  @Test
  void aMessageMayNameAPartitionOfItsTarget() throws Exception {
    assertThat(headers(SEND + "--delay 5 --target-partition 3"))
        .isEqualTo(
            Map.of(
                "delay-target-topic", "x",
                "delay-target-partition", "3",
                "delay-ms", "5",
                "delay-id", "a"));
  }

  @Test
  void theTimeMayBeInMilliseconds() throws Exception {
    assertThat(headers(SEND + "--delay 0 --every 1500")).containsEntry("delay-every", "PT1.5S");
  }

  @Test
  void aMessageRepeatsByAnExpressionAloneOrFromAnInstantOn() throws Exception {
    assertThat(
            headers(
                SEND + "--cron '0 9 * * MON' --zone Europe/Berlin --until 2999-01-31T08:00:00Z"))
        .isEqualTo(
            Map.of(
                "delay-target-topic", "x",
                "delay-cron", "0 9 * * MON",
                "delay-zone", "Europe/Berlin",
                "delay-until", "2999-01-31T08:00:00Z",
                "delay-id", "a"));
    assertThat(headers(SEND + "--cron @daily --delay 5"))
        .containsEntry("delay-cron", "@daily")
        .containsEntry("delay-ms", "5");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --target x --id a                              | exactly one of --delay and --at is needed, or --cron alone
          --target x --id a --every PT1M                 | exactly one of --delay and --at is needed, or --cron alone
          --target x --id a --cron @daily --delay 1 --at 2999-01-31T08:00:00Z | exactly one of --delay and --at
          --target x --cron @daily                       | a message that repeats needs a delay-id
          --target x --id a --cron '0 25 * * *'          | delay-cron is '0 25 * * *': the hour has '25'
          --target x --id a --cron @daily --zone Mars    | delay-zone is 'Mars', allowed: an IANA name
          --target x --id a --cron @daily --until soon   | --until is 'soon', allowed:
          --target x --id a --cron @daily --count 0      | delay-count is '0', allowed:
          --target x --id a --cron @daily --missed some  | invalid choice: 'some' (choose from {one,all,skip})
          --target x --id a --delay 1 --target-partition first | delay-target-partition is 'first', allowed: a whole number from 0 to 2147483647
          --target x --id a --delay 1 --every 999        | delay-every is 'PT0.999S', allowed: an ISO-8601 duration of a second or more
          --target x --id a --delay 1 --every often      | delay-every is 'often', allowed:
          --target x --id a --delay 1 --every PT1M --cron @daily | only one may be given: delay-every, delay-cron
          --target x --id a --delay 1 --count 2          | delay-count is given without delay-every and delay-cron
          --target x --id a --delay 1 --zone UTC         | delay-zone is given without
          --target x --delay 1 --header delay-timezone=UTC | did you mean delay-zone?
          --cancel a --header delay-idd=a                | did you mean delay-id?
          """,
      quoteCharacter = '"')
  void whatNoBridgeUnderstandsIsRefused(String options, String message) {
    assertThatThrownBy(() -> headers("send --value v " + options))
        .isInstanceOf(ArgumentParserException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvFileSource(
      files = "../../schemas/src/test/resources/instants.csv",
      useHeadersInDisplayName = true)
  void anInstantIsReadOrRefusedAsEverywhere(String text, @Nullable Long millis) throws Exception {
    String at = SEND + "'--at=" + text + "'";
    String until = SEND + "--at 1970-01-01T00:00:00Z --every PT1S '--until=" + text + "'";

    if (millis == null) {
      assertThatThrownBy(() -> headers(at)).hasMessageStartingWith("--at is '" + text + "', ");
      assertThatThrownBy(() -> headers(until))
          .hasMessageStartingWith("--until is '" + text + "', ");
    } else {
      assertThat(headers(until)).containsEntry("delay-until", text);
      // What is due in more than ten years is refused for that.
      if (millis < 2_000_000_000_000L) {
        assertThat(headers(at)).containsEntry("delay-deliver-at", text);
      }
    }
  }

  @Test
  void severalHeadersMayHaveOneName() throws Exception {
    String line = SEND + "--delay 1 --header tag=a tag=b --header tag=c=d tag=";

    assertThat(command.request(parser.parseArgs(words(line))).headers().headers("tag"))
        .extracting(header -> new String(header.value(), UTF_8))
        .containsExactly("a", "b", "c=d", "");
  }

  @Test
  void theHelpNamesTheOptions() {
    assertThat(send.formatHelp())
        .contains("--every", "--cron", "--zone", "--until", "--count", "--missed {one,all,skip}");
  }
}
