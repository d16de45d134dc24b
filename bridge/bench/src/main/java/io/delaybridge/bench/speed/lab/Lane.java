package io.delaybridge.bench.speed.lab;

import io.delaybridge.stack.ProcessServer;
import java.util.List;

/**
 * What carries records from one topic to another: the bridge, or the pass-through.
 *
 * @param name of the group, and the prefix of the keys
 * @param processes that share the work, all of them started
 */
public record Lane(String name, String intake, String target, List<ProcessServer> processes) {

  /** Copies. */
  public Lane {
    processes = List.copyOf(processes);
  }

  /**
   * Freezes the processes while the intake is filled, so that the filling is not part of what is
   * measured, and their JVMs stay warm.
   */
  public void pause() {
    processes.forEach(ProcessServer::pause);
  }

  /** Lets them go on. */
  public void resume() {
    processes.forEach(ProcessServer::resume);
  }

  /** The first process. */
  public ProcessServer process() {
    return processes.get(0);
  }
}
