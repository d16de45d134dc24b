package io.delaybridge.stack;

import java.nio.file.Path;
import java.time.Duration;

/** A server that is a process of this machine. */
public abstract class ProcessServer implements Server {

  private final ManagedProcess process;
  private final Duration stopLimit;

  /**
   * @param stopLimit how long it may take to end in good order before it is ended by force
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

  /** The id of the process, once started. */
  public long pid() {
    return process.pid();
  }

  /** What the process writes. */
  public Path log() {
    return process.log();
  }
}
