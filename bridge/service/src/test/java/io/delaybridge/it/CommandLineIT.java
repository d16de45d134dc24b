package io.delaybridge.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.it.CommandLine.Result;
import io.delaybridge.it.Inbox.Arrival;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes that the commands take and print, in a locale that has them as text and in another. */
class CommandLineIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  private final World world = World.shared();
  private final Path dir = World.directory();
  private final Scenario scenario = world.scenario();
  private final CommandLine plain =
      new CommandLine(
          dir, Map.of("LC_ALL", "C", "KAFKA_BOOTSTRAP_SERVERS", world.stack.bootstrapServers()));
  private final CommandLine utf8 =
      new CommandLine(
          dir,
          Map.of("LC_ALL", "C.UTF-8", "KAFKA_BOOTSTRAP_SERVERS", world.stack.bootstrapServers()));

  @BeforeEach
  void create() {
    world.createTopic(scenario.intake, 1, Map.of());
  }

  /** On other systems, Java reads arguments as UTF-8 in this locale, too. */
  @EnabledOnOs(OS.LINUX)
  @ParameterizedTest
  @ValueSource(
      strings = {
        "send --target x --delay 0 --value Grüße",
        "send --cancel größer",
        "send --target x --delay 0 --file Grüße.bin",
        "tail Grüße",
        "token --name Jürgen --roles read",
        "check Grüße.yml",
        "server Grüße.yml"
      })
  void what_is_no_text_in_the_locale_is_refused(String arguments) throws Exception {
    Result result = plain.run(arguments);

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err())
        .startsWith("delay-bridge: argument ")
        .contains("(LC_ALL=C)", "set a UTF-8 locale");
    assertThat(result.out()).isEmpty();
  }

  @EnabledOnOs(OS.LINUX)
  @Test
  void so_is_a_variable_of_the_configuration() throws Exception {
    Files.writeString(dir.resolve("config.yml"), "kafka:\n  groupId: ${GROUP}\n");
    CommandLine command = new CommandLine(dir, Map.of("LC_ALL", "C", "GROUP", "unused"));
    assertThat(command.run("check config.yml").ok().err()).isEmpty();

    // The shell sets it, since this process may not be able to.
    Result result = command.run("check config.yml", "export GROUP=Grüße;");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).startsWith("config.yml, line 2: ").contains("(LC_ALL=C)");
  }

  @Test
  void text_of_the_locale_goes_out_as_utf_8() throws Exception {
    utf8.run(
            "send --intake %s --target x --delay 0 --id größer --key Schlüssel --header ort=Köln"
                    .formatted(scenario.intake)
                + " --value 'Grüße, 世界 😀'")
        .ok();

    Arrival sent = sent();
    assertThat(sent.record().key()).isEqualTo("Schlüssel".getBytes(UTF_8));
    assertThat(sent.value()).isEqualTo("Grüße, 世界 😀");
    assertThat(sent.header("delay-id")).isEqualTo("größer");
    assertThat(sent.header("ort")).isEqualTo("Köln");
  }

  @Test
  void a_file_goes_out_byte_for_byte() throws Exception {
    Files.write(dir.resolve("bytes"), everyByte());
    utf8.run(
            "send --intake %s --target x --delay 0 --file Grüße.bin".formatted(scenario.intake),
            "cp bytes Grüße.bin;")
        .ok();

    assertThat(sent().record().value()).isEqualTo(everyByte());
  }

  @Test
  void so_does_the_standard_input_in_any_locale() throws Exception {
    Files.write(dir.resolve("bytes"), everyByte());
    plain.run("send --intake %s --target x --delay 0 < bytes".formatted(scenario.intake)).ok();

    assertThat(sent().record().value()).isEqualTo(everyByte());
  }

  @Test
  void a_tail_prints_utf_8_in_any_locale() throws Exception {
    scenario.send("Schlüssel", "Grüße, 世界 😀", "ort", "Köln");

    assertThat(plain.run("tail --from-beginning --max 1 " + scenario.intake).ok().out())
        .contains("key=Schlüssel value=Grüße, 世界 😀", "ort=Köln");
  }

  private Arrival sent() {
    try (Inbox inbox = new Inbox(world.stack.bootstrapServers(), Set.of(scenario.intake))) {
      return inbox.awaitCount(1, SOON).all().iterator().next();
    }
  }

  private static byte[] everyByte() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    return all;
  }
}
