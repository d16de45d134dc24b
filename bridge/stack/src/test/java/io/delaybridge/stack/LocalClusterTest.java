package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalClusterTest {

  @TempDir Path dir;

  @Test
  void takesRecordsWhileOneOfThreeNodesIsAway() throws Exception {
    try (LocalCluster cluster = LocalCluster.at(dir, 3).start()) {
      Topic topic = new Topic(cluster.bootstrapServers(), "copied");
      topic.create(3);
      topic.send("all three");

      cluster.broker(0).kill();
      topic.send("two of them");
      cluster.broker(0).restart();

      assertThat(topic.readAll()).containsExactly("all three", "two of them");
    }
  }
}
