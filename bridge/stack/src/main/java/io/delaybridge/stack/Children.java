package io.delaybridge.stack;

import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/** The processes that this JVM has started; they end with it. */
final class Children {

  private static final Set<ManagedProcess> RUNNING = ConcurrentHashMap.newKeySet();
  private static final Deque<Runnable> BEFORE = new ConcurrentLinkedDeque<>();

  private static volatile boolean ending;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Children::endAll, "end-children"));
  }

  private Children() {}

  /** Registers a process. Kills it at once if this JVM is about to end. */
  static void add(ManagedProcess process) {
    RUNNING.add(process);
    if (ending) {
      process.kill();
    }
  }

  static void remove(ManagedProcess process) {
    RUNNING.remove(process);
  }

  /** Runs an action when the JVM ends, before the remaining processes are killed. */
  static void beforeEnd(Runnable action) {
    BEFORE.addFirst(action);
  }

  private static void endAll() {
    try {
      BEFORE.forEach(Runnable::run);
    } finally {
      ending = true;
      RUNNING.forEach(ManagedProcess::kill);
    }
  }
}
