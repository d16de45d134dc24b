package io.delaybridge.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LinksTest {

  private static Map<String, Page> pages() throws IOException {
    return Page.all().stream().collect(Collectors.toMap(Page::path, page -> page));
  }

  @Test
  void everyLinkLeadsToAFileAndAHeadingThatExist() throws IOException {
    Map<String, Page> pages = pages();
    List<String> dead = new ArrayList<>();
    for (Page page : pages.values()) {
      for (String link : page.links()) {
        if (!leads(page, link, pages)) {
          dead.add(page.path() + ": " + link);
        }
      }
    }
    assertThat(pages).hasSizeGreaterThan(20);
    assertThat(dead).isEmpty();
  }

  private static boolean leads(Page page, String link, Map<String, Page> pages) {
    String[] parts = link.split("#", 2);
    Path target =
        parts[0].isEmpty()
            ? Path.of(page.path())
            : Path.of(page.path()).resolveSibling(parts[0]).normalize();
    if (!Files.exists(Page.root().resolve(target))) {
      return false;
    }
    Page named = pages.get(target.toString());
    return parts.length == 1 || (named != null && named.anchors().contains(parts[1]));
  }

  @Test
  void everyAlertHasItsRunbook() throws IOException {
    JsonNode rules =
        new YAMLMapper().readTree(Page.root().resolve("docker/prometheus/rules.yml").toFile());
    Map<String, Page> pages = pages();
    List<JsonNode> alerts = rules.findParents("alert");

    assertThat(alerts).hasSizeGreaterThan(5);
    for (JsonNode alert : alerts) {
      String[] runbook = alert.at("/annotations/runbook").asText().split("#", 2);
      Page page = pages.get(runbook[0]);
      assertThat(page == null ? List.of() : page.anchors())
          .as("%s", alert.get("alert"))
          .contains(runbook[1]);
    }
  }
}
