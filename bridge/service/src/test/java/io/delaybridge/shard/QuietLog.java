package io.delaybridge.shard;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Turns logging off: a simulation has more faults than anyone wants to read about. */
final class QuietLog implements BeforeAllCallback, AfterAllCallback {

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.delaybridge");
  private Level before = Level.WARN;

  @Override
  public void beforeAll(ExtensionContext context) {
    begin();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    end();
  }

  void begin() {
    before = Objects.requireNonNullElse(logger.getLevel(), logger.getEffectiveLevel());
    logger.setLevel(Level.OFF);
  }

  void end() {
    logger.setLevel(before);
  }
}
