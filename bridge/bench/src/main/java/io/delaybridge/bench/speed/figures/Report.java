package io.delaybridge.bench.speed.figures;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

  /** Returns the table alone. */
  public String table() {
    StringBuilder table =
        new StringBuilder("| of | figure | median | min..max | values | unit | goal | met |\n");
    table.append("|---|---|--:|---|--:|---|---|---|\n");
    for (Figure figure : figures) {
      Spread spread = figure.spread();
      table.append(
          "| %s | %s | %s | %s..%s | %d | %s | %s | %s |%n"
              .formatted(
                  figure.group(),
                  figure.name(),
                  Numbers.plain(spread.median()),
                  Numbers.plain(spread.min()),
                  Numbers.plain(spread.max()),
                  spread.values().size(),
                  figure.unit(),
                  figure.goal() == null ? "" : figure.goal().toString(),
                  figure.verdict()));
    }
    return table.toString();
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
