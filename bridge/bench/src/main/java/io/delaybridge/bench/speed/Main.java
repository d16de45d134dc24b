package io.delaybridge.bench.speed;

/** The program of this package. */
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    System.out.println("nothing yet");
  }
}
