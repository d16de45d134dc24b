package io.delaybridge.bench.speed.figures;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The findings of one run, as a page and as JSON. */
public final class Report {

  private final String title;
  private final Map<String, String> circumstances;
  private final List<Figure> figures = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final List<Plot> plots = new ArrayList<>();

  /**
   * @param circumstances machine, command, date and other facts that a reader must know
   */
  public Report(String title, Map<String, String> circumstances) {
    this.title = title;
    this.circumstances = new LinkedHashMap<>(circumstances);
  }

  /** Adds a fact that a reader must know and that only the run could provide. */
  public Report circumstance(String name, String value) {
    circumstances.put(name, value);
    return this;
  }

  /** Adds a line to the table. */
  public Report add(Figure figure) {
    figures.add(figure);
    return this;
  }

  /** Adds a paragraph in Markdown below the table. */
  public Report note(String text) {
    notes.add(text);
    return this;
  }

  /** Adds a picture below the notes, in a file beside the page. */
  public Report plot(Plot plot) {
    plots.add(plot);
    return this;
  }

  /** Returns the page. */
  public String markdown() {
    StringBuilder page = new StringBuilder("# " + title + "\n\n");
    circumstances.forEach(
        (name, value) -> page.append("- ").append(name).append(": ").append(value).append('\n'));
    page.append('\n').append(table());
    notes.forEach(note -> page.append('\n').append(note.strip()).append('\n'));
    plots.forEach(plot -> page.append("\n![%s](%s)\n".formatted(plot.axes().title(), plot.file())));
    return page.toString();
  }

  /**
   * Returns the table alone: subjects against figures, the longer list downwards. A cell has the
   * median; the smallest and the largest, if there are several values; and the goal, with the
   * median in bold if it is missed.
   */
  public String table() {
    Set<String> groups = new LinkedHashSet<>();
    Set<String> names = new LinkedHashSet<>();
    Map<List<String>, String> cells = new HashMap<>();
    for (Figure figure : figures) {
      String name = figure.unit().isEmpty() ? figure.name() : figure.name() + ", " + figure.unit();
      groups.add(figure.group());
      names.add(name);
      cells.put(List.of(figure.group(), name), cell(figure));
    }
    return groups.size() >= names.size()
        ? table(groups, names, (group, name) -> cells.get(List.of(group, name)))
        : table(names, groups, (name, group) -> cells.get(List.of(group, name)));
  }

  private static String table(
      Set<String> rows, Set<String> columns, BiFunction<String, String, @Nullable String> cells) {
    StringBuilder table = new StringBuilder("| | " + String.join(" | ", columns) + " |\n");
    table.append("|---|").append("--:|".repeat(columns.size())).append('\n');
    for (String row : rows) {
      table.append("| ").append(row);
      for (String column : columns) {
        table.append(" | ").append(Objects.requireNonNullElse(cells.apply(row, column), ""));
      }
      table.append(" |\n");
    }
    return table.toString();
  }

  private static String cell(Figure figure) {
    Spread spread = figure.spread();
    String median = Numbers.plain(spread.median());
    Goal goal = figure.goal();
    String shown = goal == null || goal.isMetBy(spread) ? median : "**" + median + "**";
    String range =
        spread.values().size() == 1
            ? ""
            : " (%s..%s)".formatted(Numbers.plain(spread.min()), Numbers.plain(spread.max()));
    return shown + range + (goal == null ? "" : ", " + goal);
  }

  /** Returns the notes, the pictures as points, and all values, not only the medians. */
  public String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("title", title);
    all.put("circumstances", circumstances);
    all.put("figures", figures.stream().map(Report::object).toList());
    all.put("notes", notes);
    all.put("plots", plots);
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(all)
          + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes {@code <name>.md}, {@code <name>.json} and the pictures. */
  public void write(Path dir, String name) {
    try {
      Files.createDirectories(dir);
      Files.writeString(dir.resolve(name + ".md"), markdown());
      Files.writeString(dir.resolve(name + ".json"), json());
      plots.forEach(plot -> plot.save(dir));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Object> object(Figure figure) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("group", figure.group());
    object.put("name", figure.name());
    object.put("unit", figure.unit());
    object.put("median", figure.spread().median());
    object.put("values", figure.spread().values());
    Goal goal = figure.goal();
    if (goal != null) {
      object.put("goal", goal.toString());
      object.put("met", goal.isMetBy(figure.spread()));
    }
    return object;
  }
}
