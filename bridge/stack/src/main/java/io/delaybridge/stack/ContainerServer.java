package io.delaybridge.stack;

import java.time.Duration;
import java.util.List;
import java.util.function.IntPredicate;
import org.testcontainers.containers.GenericContainer;

/**
 * A server in a container. Its port on 127.0.0.1 is fixed beforehand, because one that Docker picks
 * would change with every restart.
 */
final class ContainerServer implements Server {

  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final int STOP_SECONDS = 8;

  private final String name;
  private final GenericContainer<?> container;
  private final IntPredicate probe;
  private final int port = Ports.free();

  ContainerServer(String name, GenericContainer<?> container, int innerPort, IntPredicate probe) {
    this.name = name;
    this.container = container;
    this.probe = probe;
    container.setPortBindings(List.of("127.0.0.1:" + port + ":" + innerPort));
  }

  int port() {
    return port;
  }

  @Override
  public ContainerServer start() {
    if (isCreated()) {
      container.getDockerClient().startContainerCmd(container.getContainerId()).exec();
    } else {
      container.start();
    }
    if (!Await.until(name + " to answer", START_LIMIT, () -> probe.test(port))) {
      throw new StackException(
          "%s did not answer within %d s. Its log:%n%s"
              .formatted(name, START_LIMIT.toSeconds(), container.getLogs()));
    }
    return this;
  }

  @Override
  public void kill() {
    if (isAlive()) {
      container.getDockerClient().killContainerCmd(container.getContainerId()).exec();
    }
  }

  @Override
  public void pause() {
    container.getDockerClient().pauseContainerCmd(container.getContainerId()).exec();
  }

  @Override
  public void resume() {
    container.getDockerClient().unpauseContainerCmd(container.getContainerId()).exec();
  }

  @Override
  public void stop() {
    if (isAlive()) {
      if (isPaused()) {
        resume();
      }
      container
          .getDockerClient()
          .stopContainerCmd(container.getContainerId())
          .withTimeout(STOP_SECONDS)
          .exec();
    }
  }

  @Override
  public boolean isAlive() {
    return isCreated()
        && Boolean.TRUE.equals(container.getCurrentContainerInfo().getState().getRunning());
  }

  /** Stops the server and removes the container with its data. */
  @Override
  public void close() {
    container.stop();
  }

  private boolean isPaused() {
    return Boolean.TRUE.equals(container.getCurrentContainerInfo().getState().getPaused());
  }

  private boolean isCreated() {
    return container.getContainerId() != null;
  }
}
