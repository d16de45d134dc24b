package io.delaybridge.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds text that was not read as it was written. Java decodes arguments and variables with the
 * encoding of the locale, before {@code main}. In the place of bytes that are no text in it, it
 * puts U+FFFD, and they are lost.
 *
 * @param encoding that of the locale: the system property {@code sun.jnu.encoding}
 * @param environment variables, which say what the locale is
 */
public record LostBytes(String encoding, Map<String, String> environment) {

  private static final char REPLACEMENT = '\uFFFD';

  /** Returns one of this process. */
  public static LostBytes ofThisProcess() {
    return new LostBytes(System.getProperty("sun.jnu.encoding", "unknown"), System.getenv());
  }

  /** Returns what is wrong with the first argument that has lost bytes, or empty. */
  public Optional<String> inArguments(String... arguments) {
    for (int i = 0; i < arguments.length; i++) {
      if (isIn(arguments[i])) {
        return Optional.of(
            "argument %d, '%s', has bytes that are not text in %s: %s"
                .formatted(
                    i + 1,
                    arguments[i].replace(REPLACEMENT, '?'),
                    locale(),
                    encoding.equals("UTF-8")
                        ? "give other bytes with --file or on standard input"
                        : "set a UTF-8 locale, such as LC_ALL=C.UTF-8"));
      }
    }
    return Optional.empty();
  }

  /** Returns what is wrong with the first line of a file that has lost bytes, or empty. */
  public Optional<String> inFile(String path, String text) {
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (isIn(lines.get(i))) {
        return Optional.of(
            "%s, line %d: there are bytes that are not UTF-8, or a variable whose value is not text in %s"
                .formatted(path, i + 1, locale()));
      }
    }
    return Optional.empty();
  }

  private static boolean isIn(String text) {
    return text.indexOf(REPLACEMENT) >= 0;
  }

  /** Returns the encoding, and the variable that decides, as the C library looks for it. */
  private String locale() {
    String decides =
        Stream.of("LC_ALL", "LC_CTYPE", "LANG")
            .filter(name -> !environment.getOrDefault(name, "").isEmpty())
            .map(name -> name + "=" + environment.get(name))
            .findFirst()
            .orElse("LC_ALL, LC_CTYPE and LANG are not set");
    return "%s, the encoding of the locale (%s)".formatted(encoding, decides);
  }
}
