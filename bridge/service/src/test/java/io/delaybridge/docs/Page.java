package io.delaybridge.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One Markdown page of the project.
 *
 * @param path from the root of the checkout
 * @param blocks its fenced code blocks
 * @param anchors that a link may name
 * @param links relative ones, as written
 */
record Page(String path, List<Block> blocks, List<String> anchors, List<String> links) {

  private static final Pattern FENCE = Pattern.compile("^( *)```(.*)$");
  private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

  /**
   * A code block.
   *
   * @param line where it begins, from 1
   * @param info what follows the backquotes, such as {@code sh run}
   */
  record Block(String page, int line, String info, String text) {

    boolean isShell() {
      return info.equals("sh") || info.startsWith("sh ");
    }

    @Override
    public String toString() {
      return page + ":" + line;
    }
  }

  static Path root() {
    return ROOT;
  }

  /** All pages, in the order of their names. */
  static List<Page> all() throws IOException {
    List<Page> pages = new ArrayList<>();
    for (String part : List.of("", "docs", "docker", "docker/kubernetes", "changelog.d")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(part), part.equals("docs") ? 9 : 1)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".md")).sorted().toList()) {
          pages.add(read(file));
        }
      }
    }
    return pages;
  }

  private static Page read(Path file) throws IOException {
    Page page =
        new Page(
            ROOT.relativize(file).toString(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    Map<String, Integer> seen = new HashMap<>();
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      Matcher fence = FENCE.matcher(lines.get(i));
      if (fence.matches()) {
        int from = i + 1;
        do {
          i++;
        } while (!FENCE.matcher(lines.get(i)).matches());
        page.blocks.add(
            new Block(
                page.path,
                from,
                fence.group(2),
                lines.subList(from, i).stream()
                    .map(
                        line ->
                            line.startsWith(fence.group(1)) ? line.substring(fence.end(1)) : line)
                    .collect(Collectors.joining("\n", "", "\n"))));
      } else {
        page.readText(lines.get(i), seen);
      }
    }
    return page;
  }

  private void readText(String line, Map<String, Integer> seen) {
    Matcher heading = HEADING.matcher(line);
    if (heading.matches()) {
      String anchor = anchor(heading.group(1));
      int before = seen.merge(anchor, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? anchor : anchor + "-" + before);
    }
    LINK.matcher(line.replaceAll("`[^`]*`", ""))
        .results()
        .map(link -> link.group(1))
        .filter(link -> !link.matches("[a-z]+:.*"))
        .forEach(links::add);
  }

  /** As GitHub makes them. */
  private static String anchor(String heading) {
    return heading
        .replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .strip()
        .replace(' ', '-');
  }
}
