package io.delaybridge.bench.speed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {

  private final List<String> closed = new ArrayList<>();
  private final Closing closing = new Closing();

  @Test
  void whatWasOpenedLastIsClosedFirst() {
    open("broker");
    open("tail");
    closing.close();
    assertThat(closed).containsExactly("tail", "broker");
  }

  @Test
  void aFailureDoesNotKeepTheOthersOpenAndIsNotSwallowed() {
    open("broker");
    Exception first = new Exception("tail");
    Exception second = new Exception("gauge");
    closing.with(failing(second));
    closing.with(failing(first));
    assertThatThrownBy(closing::close)
        .isInstanceOf(IllegalStateException.class)
        .hasCause(first)
        .hasSuppressedException(second);
    assertThat(closed).containsExactly("broker");
  }

  private void open(String name) {
    AutoCloseable unused = closing.with(() -> closed.add(name));
  }

  private static AutoCloseable failing(Exception failure) {
    return () -> {
      throw failure;
    };
  }
}
