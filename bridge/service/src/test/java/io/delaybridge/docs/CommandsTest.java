package io.delaybridge.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.docs.Page.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that each block of shell commands in the pages is marked: {@code run} by {@link
 * CommandsIT}; {@code build}, a build of this repository; {@code docker}, needs an engine; {@code
 * shown}, contains names of one particular run; {@code elsewhere}, needs something that is missing
 * here, or never ends.
 */
class CommandsTest {

  private static final Pattern KINDS = Pattern.compile("sh (run|build|docker|shown|elsewhere)");
  private static final Pattern TEST = Pattern.compile("-D(?:it\\.)?test=([A-Za-z]+)");
  private static final Pattern PROFILE = Pattern.compile("-P([a-z]+)");

  private static List<Block> blocks() throws IOException {
    return Page.all().stream().flatMap(page -> page.blocks().stream()).toList();
  }

  @Test
  void eachBlockOfCommandsSaysWhatBecomesOfIt() throws IOException {
    List<Block> shell = blocks().stream().filter(Block::isShell).toList();

    assertThat(shell).hasSizeGreaterThan(20);
    assertThat(shell).allSatisfy(block -> assertThat(block.info()).as("%s", block).matches(KINDS));
    assertThat(blocks()).noneMatch(block -> block.info().matches("(bash|shell|console|zsh).*"));
  }

  @Test
  void whatABuildNamesIsThere() throws IOException {
    String pom = Files.readString(Page.root().resolve("pom.xml"));
    List<String> tests = tests();
    for (Block block : blocks()) {
      if (block.info().equals("sh build")) {
        assertThat(block.text()).as("%s", block).startsWith("mvn ");
        assertThat(all(TEST, block)).as("%s", block).isSubsetOf(tests);
        assertThat(all(PROFILE, block))
            .as("%s", block)
            .allMatch(profile -> pom.contains("<id>" + profile + "</id>"));
      }
    }
  }

  private static List<String> all(Pattern pattern, Block block) {
    return pattern.matcher(block.text()).results().map(CommandsTest::name).toList();
  }

  private static String name(MatchResult match) {
    return match.group(1);
  }

  /** The names of the classes that tests may be in, and what stands for no test at all. */
  private static List<String> tests() throws IOException {
    List<String> names = new ArrayList<>(List.of("none"));
    for (String module : List.of("bridge/service", "connectors/spring")) {
      try (Stream<Path> files = Files.walk(Page.root().resolve(module).resolve("src/test/java"))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".java"))
            .map(name -> name.substring(0, name.length() - ".java".length()))
            .forEach(names::add);
      }
    }
    return names;
  }
}
