package io.delaybridge.it;

import io.delaybridge.it.Spans.Row;
import java.util.List;
import java.util.Map;

/** Draws traces for the documentation: a bar for each span, one below the other. */
final class TracePicture {

  private static final int ROW = 24;
  private static final int NAMES = 330;
  private static final int BARS = 470;
  private static final int TIME = 90;
  private static final Map<String, String> COLOURS =
      Map.of("shop", "#2a78b5", "bridge", "#d9822b", "mail", "#3a8f5c");

  private final StringBuilder svg = new StringBuilder();
  private final Map<String, String> names;
  private int y = ROW;

  private TracePicture(Map<String, String> names) {
    this.names = names;
  }

  /**
   * Returns an SVG document.
   *
   * @param names what is written in place of the names of topics
   */
  static String of(Spans spans, Map<String, String> names) {
    TracePicture picture = new TracePicture(names);
    spans.waits().forEach(picture::trace);
    int width = NAMES + BARS + TIME;
    return """
        <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" \
        font-family="sans-serif" font-size="12">
        <rect width="100%%" height="100%%" fill="#fff"/>
        %s</svg>
        """
        .formatted(width, picture.y, width, picture.y, picture.svg);
  }

  private void trace(List<Row> rows) {
    double end = rows.stream().mapToDouble(row -> row.beginMs() + row.lengthMs()).max().orElse(1);
    for (Row row : rows) {
      row(row, BARS / end);
    }
    y += ROW;
  }

  private void row(Row row, double pixels) {
    text(10 + 14 * row.depth(), row.span().service() + "  " + named(row.span().name()));
    svg.append(
        "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"14\" fill=\"%s\"/>%n"
            .formatted(
                NAMES + row.beginMs() * pixels,
                y - 11,
                Math.max(2, row.lengthMs() * pixels),
                row.span().error().isEmpty()
                    ? COLOURS.getOrDefault(row.span().service(), "#777")
                    : "#b3261e"));
    text(NAMES + BARS + 8, "%,.0f ms".formatted(row.lengthMs()));
    y += ROW;
  }

  private void text(int x, String text) {
    svg.append("<text x=\"%d\" y=\"%d\" fill=\"#222\">%s</text>%n".formatted(x, y, text));
  }

  private String named(String name) {
    String shown = name;
    for (Map.Entry<String, String> each : names.entrySet()) {
      shown = shown.replace(each.getKey(), each.getValue());
    }
    return shown;
  }
}
