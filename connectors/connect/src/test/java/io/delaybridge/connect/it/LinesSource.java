package io.delaybridge.connect.it;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.jspecify.annotations.Nullable;

/**
 * A source connector that knows nothing of delays. It produces ten maps with a number; every other
 * one also has a text with a time. A test installs it in a worker as a separate plugin.
 */
public final class LinesSource extends SourceConnector {

  static final int COUNT = 10;

  private static final String PREFIX = "prefix";

  private String prefix = "order-";

  @Override
  public void start(Map<String, String> config) {
    prefix = config.getOrDefault(PREFIX, prefix);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return Lines.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    return List.of(Map.of(PREFIX, prefix));
  }

  @Override
  public void stop() {
    // Nothing to stop.
  }

  @Override
  public ConfigDef config() {
    return new ConfigDef();
  }

  @Override
  public String version() {
    return "1";
  }

  /** Its only task. */
  public static final class Lines extends SourceTask {

    private String prefix = "";
    private boolean done;

    @Override
    public String version() {
      return "1";
    }

    @Override
    public void start(Map<String, String> config) {
      prefix = String.valueOf(config.get(PREFIX));
      done = false;
    }

    @Override
    public @Nullable List<SourceRecord> poll() throws InterruptedException {
      if (done) {
        TimeUnit.MILLISECONDS.sleep(100);
        return null;
      }
      done = true;
      return IntStream.range(0, COUNT)
          .mapToObj(
              number ->
                  new SourceRecord(
                      Map.of(),
                      Map.of(),
                      "orders",
                      null,
                      null,
                      number % 2 == 0
                          ? Map.of("number", prefix + number, "after", "PT2S")
                          : Map.of("number", prefix + number)))
          .toList();
    }

    @Override
    public void stop() {
      // Nothing to stop.
    }
  }
}
