package io.delaybridge.admin.access;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the tokens: one {@link Token} a line, {@code #} begins a comment, empty lines are
 * skipped.
 */
final class TokenFile {

  private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);

  /** A larger file is not a token file. The file is read while a call waits. */
  private static final long MAX_BYTES = 1 << 20;

  private TokenFile() {}

  /**
   * Reads all of it or nothing.
   *
   * @throws IOException names the file, the line and what is allowed
   */
  static List<Token> read(Path file) throws IOException {
    List<String> lines = lines(file);
    List<Token> tokens = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Set<String> hashes = new HashSet<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").strip();
      if (!line.isEmpty()) {
        Token token = parse(file, i + 1, line);
        if (!names.add(token.name()) || !hashes.add(token.hash())) {
          throw wrong(
              file, i + 1, "'" + token.name() + "' repeats a name or hash of an earlier line");
        }
        tokens.add(token);
      }
    }
    if (tokens.isEmpty()) {
      throw new IOException(
          "token file " + file + " has no token; make one with the command 'token' of the jar");
    }
    return List.copyOf(tokens);
  }

  private static List<String> lines(Path file) throws IOException {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new IOException("token file " + file + " is larger than " + MAX_BYTES + " bytes");
      }
      return Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      throw new IOException("token file " + file + " does not exist", e);
    } catch (AccessDeniedException e) {
      throw new IOException(denied(file), e);
    } catch (MalformedInputException e) {
      throw new IOException("token file " + file + " is not UTF-8", e);
    }
  }

  /** Says who may not read it, and who may: in a container, that is seldom who was thought of. */
  static String denied(Path file) {
    String who = "token file " + file + " cannot be read by this user";
    try {
      return "%s (%s): its owner is %s, its permissions are %s"
          .formatted(
              who,
              Files.getOwner(Path.of("/proc/self")),
              Files.getOwner(file),
              PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    } catch (IOException | UnsupportedOperationException e) {
      LOG.debug("The owner of {} cannot be read", file, e);
      return who;
    }
  }

  private static Token parse(Path file, int number, String line) throws IOException {
    try {
      return Token.parse(line);
    } catch (IllegalArgumentException e) {
      throw wrong(file, number, String.valueOf(e.getMessage()));
    }
  }

  private static IOException wrong(Path file, int line, String what) {
    return new IOException("token file %s, line %d: %s".formatted(file, line, what));
  }
}
