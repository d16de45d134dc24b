package io.delaybridge.it;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.Collectors;

/** The spans that processes with an agent have printed. Each line of OTLP JSON contains several. */
record Spans(List<Span> all) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OWN = "delay_bridge.";
  private static final String LINE = "{\"resourceSpans\":";

  /**
   * A span.
   *
   * @param begin nanoseconds since 1970
   * @param end likewise
   * @param error text of an error status, otherwise empty
   * @param links ids of the spans that it links to
   */
  record Span(
      String service,
      String name,
      String trace,
      String id,
      String parent,
      long begin,
      long end,
      Map<String, String> attributes,
      String error,
      List<String> links) {

    String attribute(String name) {
      return attributes.getOrDefault(OWN + name, "");
    }

    private String own() {
      return attributes.entrySet().stream()
          .filter(attribute -> attribute.getKey().startsWith(OWN))
          .map(attribute -> attribute.getKey().substring(OWN.length()) + "=" + attribute.getValue())
          .sorted()
          .collect(Collectors.joining(" "));
    }
  }

  static Spans of(String... outputs) {
    List<Span> all = new ArrayList<>();
    for (String output : outputs) {
      output
          .lines()
          .filter(line -> line.startsWith(LINE))
          .forEach(
              line ->
                  parse(line)
                      .path("resourceSpans")
                      .forEach(resource -> all.addAll(ofResource(resource))));
    }
    return new Spans(all);
  }

  private static List<Span> ofResource(JsonNode resource) {
    String service =
        attributes(resource.path("resource")).getOrDefault("service.name", "without a name");
    List<Span> spans = new ArrayList<>();
    for (JsonNode scope : resource.path("scopeSpans")) {
      for (JsonNode span : scope.path("spans")) {
        JsonNode status = span.path("status");
        spans.add(
            new Span(
                service,
                span.path("name").asText(),
                span.path("traceId").asText(),
                span.path("spanId").asText(),
                span.path("parentSpanId").asText(),
                span.path("startTimeUnixNano").asLong(),
                span.path("endTimeUnixNano").asLong(),
                attributes(span),
                status.path("code").asInt() == 2 ? status.path("message").asText() : "",
                span.path("links").findValuesAsText("spanId")));
      }
    }
    return spans;
  }

  private static Map<String, String> attributes(JsonNode node) {
    Map<String, String> attributes = new HashMap<>();
    for (JsonNode attribute : node.path("attributes")) {
      JsonNode value = attribute.path("value");
      attributes.put(
          attribute.path("key").asText(), value.isEmpty() ? "" : value.elements().next().asText());
    }
    return attributes;
  }

  private static JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not what the agent prints: " + line, e);
    }
  }

  /** Returns the only span with this name of a service. */
  Span one(String service, String name) {
    return one(all, service, name);
  }

  /** Returns the spans of these traces. */
  Spans ofTraces(Set<String> traces) {
    return new Spans(all.stream().filter(span -> traces.contains(span.trace())).toList());
  }

  /** Returns all spans with this name of a service, the earliest first. */
  List<Span> named(String service, String name) {
    return all.stream()
        .filter(span -> span.service().equals(service) && span.name().equals(name))
        .sorted(Comparator.comparingLong(Span::begin))
        .toList();
  }

  /** Returns the parent of a span, made by this service with this name. */
  Span above(Span child, String service, String name) {
    return one(
        all.stream().filter(span -> span.id().equals(child.parent())).toList(), service, name);
  }

  private Span one(List<Span> among, String service, String name) {
    List<Span> found =
        among.stream()
            .filter(span -> span.service().equals(service) && span.name().equals(name))
            .toList();
    if (found.size() != 1) {
      throw new NoSuchElementException(
          "%d spans '%s' of %s in %s".formatted(found.size(), name, service, this));
    }
    return found.get(0);
  }

  /** Returns the traces with a wait, as trees, with milliseconds from their beginning. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (List<Row> trace : waits()) {
      for (Row row : trace) {
        text.append(
            "%n%8.1f %8.1f  %-6s  %s%s  %s"
                .formatted(
                    row.beginMs(),
                    row.lengthMs(),
                    row.span.service(),
                    "  ".repeat(row.depth),
                    row.span.name(),
                    row.span.own()));
      }
    }
    return text.toString();
  }

  /**
   * One line of a trace.
   *
   * @param depth number of spans above it
   * @param traceBegin nanoseconds since 1970
   */
  record Row(Span span, int depth, long traceBegin) {

    double beginMs() {
      return (span.begin() - traceBegin) / 1e6;
    }

    double lengthMs() {
      return (span.end() - span.begin()) / 1e6;
    }
  }

  /** Returns the traces with a wait; a span comes before those below it. */
  List<List<Row>> waits() {
    return all.stream()
        .filter(span -> span.name().startsWith("wait "))
        .map(Span::trace)
        .distinct()
        .map(
            trace -> {
              List<Row> rows = new ArrayList<>();
              below(rows, trace, "", begin(trace), 0);
              return rows;
            })
        .toList();
  }

  private long begin(String trace) {
    return all.stream()
        .filter(span -> span.trace().equals(trace))
        .mapToLong(Span::begin)
        .min()
        .orElse(0);
  }

  private void below(List<Row> rows, String trace, String parent, long begin, int depth) {
    all.stream()
        .filter(span -> span.trace().equals(trace) && span.parent().equals(parent))
        .sorted(Comparator.comparingLong(Span::begin))
        .forEach(
            span -> {
              rows.add(new Row(span, depth, begin));
              below(rows, trace, span.id(), begin, depth + 1);
            });
  }
}
