package io.delaybridge.admin.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensTest {

  @TempDir private Path dir;
  private Path file = Path.of("");
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));

  @BeforeEach
  void write() throws IOException {
    file = dir.resolve("tokens");
    write(
        "# who may do what",
        "",
        line("ops", "one", "operate *") + "  # the night shift",
        line("shop", "two", "read,schedule a"),
        line("temp", "three", "read * 2030-01-01T00:01:00Z"));
  }

  private void write(String... lines) throws IOException {
    Files.write(file, List.of(lines));
  }

  private static String line(String name, String secret, String rest) {
    return name + " sha256:" + Token.hashOf(secret) + " " + rest;
  }

  private Tokens tokens() throws IOException {
    return new Tokens(file, now::get, nanos::get);
  }

  private static Tokens.Found good(String name, String role) {
    return new Tokens.Found.Good(new Caller(name, Set.of(role), null));
  }

  private void later() {
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
  }

  @Test
  void aTokenIsFoundByItsSecret() throws IOException {
    Tokens tokens = tokens();

    assertThat(tokens.size()).isEqualTo(3);
    assertThat(tokens.find("one")).isEqualTo(good("ops", Role.OPERATE));
    assertThat(tokens.find("two"))
        .isEqualTo(
            new Tokens.Found.Good(
                new Caller("shop", Set.of(Role.READ, Role.SCHEDULE), Set.of("a"))));
    assertThat(tokens.find("four")).isEqualTo(new Tokens.Found.Unknown());
    assertThat(tokens.find(Token.hashOf("one"))).isEqualTo(new Tokens.Found.Unknown());
  }

  @Test
  void aTokenExpiresWithoutAChangeOfTheFile() throws IOException {
    Tokens tokens = tokens();
    assertThat(tokens.find("three")).isEqualTo(good("temp", Role.READ));

    now.set(Instant.parse("2030-01-01T00:01:00Z"));

    assertThat(tokens.find("three")).isEqualTo(new Tokens.Found.Expired("temp"));
  }

  @Test
  void aChangedFileIsReadWithinASecond() throws IOException {
    Tokens tokens = tokens();
    write(line("new", "five", "read *"));

    later();

    assertThat(tokens.find("five")).isEqualTo(good("new", Role.READ));
    assertThat(tokens.find("one")).isEqualTo(new Tokens.Found.Unknown());
  }

  @Test
  void theFileIsNotLookedAtMoreThanOnceASecond() throws IOException {
    Tokens tokens = tokens();
    write(line("new", "five", "read *"));

    nanos.addAndGet(Duration.ofSeconds(1).toNanos() - 1);

    assertThat(tokens.find("five")).isEqualTo(new Tokens.Found.Unknown());
  }

  @Test
  void aFileThatCanNotBeReadChangesNothingAndIsUnhealthy() throws IOException {
    Tokens tokens = tokens();
    write(line("new", "five", "root *"));

    later();

    assertThat(tokens.find("one")).isEqualTo(good("ops", Role.OPERATE));
    assertThat(tokens.execute().getMessage())
        .isEqualTo(
            "the tokens read before stay valid: token file "
                + file
                + ", line 1: role is 'root', allowed: read, schedule, operate");
    assertThat(tokens.execute().isHealthy()).isFalse();
  }

  @Test
  void aFileThatIsGoneChangesNothingAndIsUnhealthy() throws IOException {
    Tokens tokens = tokens();
    Files.delete(file);

    later();

    assertThat(tokens.find("one")).isEqualTo(good("ops", Role.OPERATE));
    assertThat(tokens.execute().getMessage()).endsWith("does not exist");
  }

  /** Root may read everything, so this shows nothing there. */
  @Test
  void aFileThatMayNoLongerBeReadIsUnhealthyUntilItMay() throws IOException {
    Tokens tokens = tokens();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("-w-------"));
    assumeFalse(Files.isReadable(file));

    later();
    assertThat(tokens.execute().getMessage()).contains("cannot be read by this user");
    assertThat(tokens.find("one")).isEqualTo(good("ops", Role.OPERATE));

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    later();
    assertThat(tokens.execute().isHealthy()).isTrue();
  }

  /** As when only the permissions of the file have changed. */
  @Test
  void aFileThatCouldNotBeReadIsReadAgainAlthoughItLooksTheSame() throws IOException {
    Tokens tokens = tokens();
    FileTime time = FileTime.fromMillis(0);
    write(line("new", "five", "root *"));
    Files.setLastModifiedTime(file, time);
    later();
    assertThat(tokens.execute().isHealthy()).isFalse();

    write(line("new", "five", "read *"));
    Files.setLastModifiedTime(file, time);
    later();

    assertThat(tokens.find("five")).isEqualTo(good("new", Role.READ));
    assertThat(tokens.execute().isHealthy()).isTrue();
  }

  @Test
  void aMendedFileIsHealthyAgain() throws IOException {
    Tokens tokens = tokens();
    write("# nobody");
    later();
    assertThat(tokens.execute().getMessage()).contains("has no token");
    write(line("new", "five", "read *"));

    later();

    assertThat(tokens.execute().isHealthy()).isTrue();
    assertThat(tokens.find("five")).isEqualTo(good("new", Role.READ));
  }

  @Test
  void aReplacedFileIsReadEvenIfSizeAndTimeAreTheSame() throws IOException {
    Tokens tokens = tokens();
    Path other = dir.resolve("other");
    Files.writeString(other, Files.readString(file).replace("ops", "sre"));
    Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
    Files.move(other, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);

    later();

    assertThat(tokens.find("one")).isEqualTo(good("sre", Role.OPERATE));
  }

  @Test
  void aNameOrATokenThatIsThereTwiceIsRefused() throws IOException {
    write(line("a", "one", "read *"), line("a", "two", "read *"));
    assertThatThrownBy(this::tokens).hasMessageContaining("line 2: 'a' repeats a name or hash");

    write(line("a", "one", "read *"), line("b", "one", "read *"));
    assertThatThrownBy(this::tokens).hasMessageContaining("line 2: 'b' repeats a name or hash");
  }

  @Test
  void aFileThatMayNotBeReadIsSaidWithItsOwnerItsRightsAndWhoAsked() throws IOException {
    Path file = Files.writeString(dir.resolve("secret"), "");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    String user = Files.getOwner(file).getName();

    assertThat(TokenFile.denied(file))
        .isEqualTo(
            ("token file %s cannot be read by this user (%s): its owner is %s, its permissions are"
                    + " rw-------")
                .formatted(file, user, user));
  }

  @Test
  void aFileThatIsNoTextIsRefused() throws IOException {
    Files.write(file, new byte[] {(byte) 0xff, 0});

    assertThatThrownBy(this::tokens).hasMessageContaining("is not UTF-8");
  }
}
