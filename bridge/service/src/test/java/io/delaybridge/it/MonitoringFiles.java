package io.delaybridge.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Prometheus queries of the alerts and the dashboard under {@code docker/}. */
final class MonitoringFiles {

  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Pattern METRIC = Pattern.compile("\\b(delay|jvm|process)_[a-z0-9_]+\\b");
  private static final Pattern NAME = Pattern.compile("^([a-zA-Z_:][a-zA-Z0-9_:]*)[{ ]");

  private MonitoringFiles() {}

  /** Returns the names of metrics, and where each is used. */
  static Map<String, List<String>> metrics(Path root) throws IOException {
    Map<String, List<String>> used = new TreeMap<>();
    for (Path file : files(root.resolve("docker"))) {
      List<String> queries = new ArrayList<>();
      collect(YAML.readTree(file.toFile()), queries);
      for (String query : queries) {
        add(query, file.getFileName() + ": " + query, used);
      }
    }
    return used;
  }

  /** Returns the names in the output of {@code /prometheus}. */
  static Set<String> exported(String scrape) {
    Set<String> names = new TreeSet<>();
    scrape
        .lines()
        .map(NAME::matcher)
        .filter(Matcher::find)
        .forEach(matcher -> names.add(matcher.group(1)));
    return names;
  }

  private static List<Path> files(Path dir) throws IOException {
    try (Stream<Path> all = Files.walk(dir)) {
      return all.filter(file -> file.toString().matches(".*/(rules\\.yml|.*\\.json)")).toList();
    }
  }

  /** JSON is YAML, so both are read alike. */
  private static void collect(JsonNode node, List<String> queries) {
    for (String field : List.of("expr", "query", "definition")) {
      if (node.path(field).isTextual()) {
        queries.add(node.path(field).asText());
      }
    }
    node.forEach(child -> collect(child, queries));
  }

  private static void add(String query, String where, Map<String, List<String>> used) {
    Matcher metric = METRIC.matcher(query);
    boolean any = false;
    while (metric.find()) {
      used.computeIfAbsent(metric.group(), name -> new ArrayList<>()).add(where);
      any = true;
    }
    // These are Prometheus' own.
    if (!any && !query.matches("(?s).*\\b(up|ALERTS)\\{.*")) {
      throw new IllegalStateException("a query without a metric of the bridge: " + where);
    }
  }
}
