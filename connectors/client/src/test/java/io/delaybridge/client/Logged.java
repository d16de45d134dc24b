package io.delaybridge.client;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a class logs, until this is closed. */
final class Logged implements AutoCloseable {

  private final Logger logger;
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();

  private Logged(Logger logger) {
    this.logger = logger;
    logger.setLevel(Level.INFO);
    events.start();
    logger.addAppender(events);
  }

  static Logged by(Class<?> writer) {
    return new Logged((Logger) LoggerFactory.getLogger(writer));
  }

  /** Level and message of each event. */
  List<String> lines() {
    return events.list.stream()
        .map(event -> event.getLevel() + " " + event.getFormattedMessage())
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(events);
    logger.setLevel(null);
  }
}
