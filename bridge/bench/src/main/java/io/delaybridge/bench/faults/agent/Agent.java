package io.delaybridge.bench.faults.agent;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.dynamic.DynamicType;

/** The agent, which starts before the bridge: {@code -javaagent:agent.jar=<file with orders>}. */
public final class Agent {

  private static final String CLOCK = "io.delaybridge.peers.ClockGuard";

  private Agent() {}

  /** Called by the JVM. */
  public static void premain(String orders, Instrumentation instrumentation) {
    AgentBuilder builder =
        new AgentBuilder.Default()
            .disableClassFormatChanges()
            .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly())
            .type(named(CLOCK))
            .transform(
                (type, description, loader, module, domain) ->
                    type.visit(Advice.to(Clock.class).on(named("machine"))));
    for (Point point : Point.values()) {
      builder =
          builder
              .type(named(point.type()))
              .transform((type, description, loader, module, domain) -> visit(type, point));
    }
    builder.installOn(instrumentation);
    Thread reader = new Thread(new OrdersFile(Path.of(orders)), "orders");
    reader.setDaemon(true);
    reader.start();
  }

  private static DynamicType.Builder<?> visit(DynamicType.Builder<?> type, Point point) {
    AsmVisitorWrapper visitor =
        Advice.withCustomMapping()
            .bind(PointName.class, point.name())
            .to(point.edge() == Point.Edge.ENTRY ? Entry.class : Exit.class)
            .on(named(point.method()).and(takesArguments(point.arguments())));
    return type.visit(visitor);
  }

  /** Marks the parameter that receives the name of the point. */
  @Retention(RetentionPolicy.RUNTIME)
  @interface PointName {}

  // Byte Buddy copies the following code into the methods of the bridge.

  static final class Entry {
    private Entry() {}

    @Advice.OnMethodEnter
    static void enter(@PointName String name) {
      Orders.at(name);
    }
  }

  static final class Exit {
    private Exit() {}

    @Advice.OnMethodExit
    static void exit(@PointName String name) {
      Orders.at(name);
    }
  }

  static final class Clock {
    private Clock() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) long told) {
      told = Orders.clock(told);
    }
  }
}
