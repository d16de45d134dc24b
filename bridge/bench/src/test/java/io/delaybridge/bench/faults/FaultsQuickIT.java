package io.delaybridge.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The selection that is quick enough for every build. {@code mvn -q -Pfaults} runs everything. */
class FaultsQuickIT {

  @Test
  void the_quick_selection_keeps_every_promise() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
    int status = new Main(Path.of(System.getProperty("root.dir")), printed).run(List.of("--quick"));
    String said = out.toString(StandardCharsets.UTF_8);
    System.out.println(said);
    assertThat(status).as(said).isZero();
  }
}
