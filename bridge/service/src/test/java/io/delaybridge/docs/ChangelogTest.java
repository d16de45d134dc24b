package io.delaybridge.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChangelogTest {

  @Test
  void eachChangeIsAFileOfAKnownKindWithAFewSentences() throws IOException {
    try (Stream<Path> files = Files.list(Page.root().resolve("changelog.d"))) {
      List<Path> changes = files.filter(file -> !file.endsWith("README.md")).sorted().toList();
      for (Path change : changes) {
        assertThat(change.getFileName().toString())
            .matches("[a-z0-9-]+\\.(added|changed|fixed|removed|security)\\.md");
        assertThat(Files.readString(change)).as("%s", change).isNotBlank().doesNotContain("\n#");
        assertThat(Files.readString(change).lines()).as("%s", change).hasSizeLessThanOrEqualTo(6);
      }
    }
  }
}
