package io.delaybridge.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every class and method that docs/architecture.md names is there. */
class ArchitectureTest {

  private static final Path SOURCES = Page.root().resolve("bridge/service/src");

  /** A class with an upper-case letter at the beginning and one in lower case, and its method. */
  private static final Pattern NAME =
      Pattern.compile("`([A-Z][A-Za-z]*[a-z][A-Za-z]*)(?:#([a-z][A-Za-z]*))?`");

  @Test
  void theNamesAreThoseOfTheCode() throws IOException {
    Map<String, Path> files;
    try (Stream<Path> all = Files.walk(SOURCES)) {
      files =
          all.filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.endsWith("package-info.java"))
              .collect(
                  Collectors.toMap(
                      file -> String.valueOf(file.getFileName()).replace(".java", ""),
                      Function.identity(),
                      (one, other) -> one));
    }
    String page = Files.readString(Page.root().resolve("docs/architecture.md"));
    List<String> missing = new ArrayList<>();
    int named = 0;
    Matcher name = NAME.matcher(page);
    while (name.find()) {
      named++;
      Path file = files.get(name.group(1));
      String method = name.group(2);
      if (file == null || (method != null && !has(file, method))) {
        missing.add(name.group());
      }
    }
    assertThat(missing).isEmpty();
    assertThat(named).isGreaterThan(40);
  }

  private static boolean has(Path file, String method) throws IOException {
    return Pattern.compile("[\\w>\\]] " + method + "\\(").matcher(Files.readString(file)).find();
  }
}
