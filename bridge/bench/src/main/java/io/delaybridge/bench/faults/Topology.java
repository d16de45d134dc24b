package io.delaybridge.bench.faults;

import java.nio.file.Path;

/** Starts the servers of a row and returns when they answer. */
@FunctionalInterface
interface Topology<S extends Servers> {

  /**
   * @param dir for data and logs
   */
  S start(Path dir);
}
