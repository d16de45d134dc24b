package io.delaybridge.stack;

import java.nio.file.Path;
import java.time.Duration;

/** A server that is a process on this machine. */
public abstract class ProcessServer implements Server {

  private final ManagedProcess process;
  private final Duration stopLimit;

  /**
   * @param stopLimit the time limit for an orderly end, after which the process is killed
   */
  ProcessServer(ManagedProcess process, Duration stopLimit) {
    this.process = process;
    this.stopLimit = stopLimit;
  }

  @Override
  public void kill() {
    process.kill();
  }

  @Override
  public void pause() {
    process.pause();
  }

  @Override
  public void resume() {
    process.resume();
  }

  @Override
  public void stop() {
    process.stop(stopLimit);
  }

  @Override
  public boolean isAlive() {
    return process.isAlive();
  }

  ManagedProcess process() {
    return process;
  }

  /** Returns the id of the process, once started. */
  public long pid() {
    return process.pid();
  }

  /** Returns the log file of the process. */
  public Path log() {
    return process.log();
  }
}
