package io.delaybridge.bench.speed.lab;

import io.delaybridge.stack.ProcessServer;
import java.util.List;

/**
 * A carrier of records from one topic to another: the bridge, or the pass-through.
 *
 * @param name of the group, and the prefix of the keys
 * @param processes that share the work, all of them started
 */
public record Lane(String name, String intake, String target, List<ProcessServer> processes) {

  /** Copies the processes. */
  public Lane {
    processes = List.copyOf(processes);
  }

  /**
   * Freezes the processes while the intake is filled. The filling is then not part of the
   * measurement, and the JVMs stay warm.
   */
  public void pause() {
    processes.forEach(ProcessServer::pause);
  }

  /** Resumes the processes. */
  public void resume() {
    processes.forEach(ProcessServer::resume);
  }

  /** Returns the first process. */
  public ProcessServer process() {
    return processes.get(0);
  }
}
