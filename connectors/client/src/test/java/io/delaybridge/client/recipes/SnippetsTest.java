package io.delaybridge.client.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The code in the recipes is the code that the tests run: each block in Java, Python or Go follows
 * a comment that names a file and a snippet of it, and is equal to it. In the README and in the
 * page about Spring, those that have such a comment.
 */
class SnippetsTest {

  private static final Path ROOT = Path.of(System.getProperty("project.root"));
  private static final List<Path> SOURCES =
      List.of(ROOT.resolve("connectors/client/src/test"), ROOT.resolve("connectors/spring"));
  private static final Pattern BLOCK =
      Pattern.compile(
          "(?:<!-- snippet: (\\S+)#(\\w+) -->\\n)?```(java|python|go)\\n(.*?)```", Pattern.DOTALL);

  /** A block of code in a page; file and name are null without the comment. */
  record Block(Path page, @Nullable String file, @Nullable String name, String code) {
    @Override
    public String toString() {
      return page.getFileName() + ": " + file + "#" + name;
    }
  }

  static List<Block> blocks() throws IOException {
    List<Block> blocks = new ArrayList<>();
    try (Stream<Path> pages = Files.list(ROOT.resolve("docs/recipes"))) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).sorted().toList()) {
        blocks.addAll(blocksOf(page));
      }
    }
    for (String page : List.of("README.md", "docs/spring.md")) {
      blocksOf(ROOT.resolve(page)).stream()
          .filter(block -> block.file() != null)
          .forEach(blocks::add);
    }
    return blocks;
  }

  private static List<Block> blocksOf(Path page) throws IOException {
    List<Block> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(page));
    while (block.find()) {
      blocks.add(new Block(page, block.group(1), block.group(2), block.group(4)));
    }
    return blocks;
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void aBlockOfCodeIsTheSnippetThatTheTestsRun(Block block) throws IOException {
    assertThat(block.file()).as("the comment before the block").isNotNull();
    assertThat(block.code()).isEqualTo(snippet(block.file(), block.name()));
  }

  private static Path source(String file) {
    return SOURCES.stream()
        .map(folder -> folder.resolve(file))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new AssertionError("There is no file " + file));
  }

  private static String snippet(@Nullable String file, @Nullable String name) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(source(String.valueOf(file)))) {
      String text = line.strip().replaceFirst("^(//|#) ", "");
      if (inside && text.equals("end")) {
        // Without its blank end, which would count as a line that has no indent.
        return String.join("\n", lines).stripTrailing().stripIndent() + "\n";
      }
      if (inside) {
        lines.add(line);
      }
      inside |= text.equals("snippet: " + name);
    }
    throw new AssertionError("There is no snippet " + name + " in " + file);
  }
}
