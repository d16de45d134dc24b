package io.delaybridge.it;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import io.delaybridge.stack.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Makes threads of another process die of an error, as a debugger can. */
final class Assassin {

  private final int port = Ports.free();

  /** What the environment of the process must have. */
  Map<String, String> environment() {
    return Map.of(
        "JAVA_TOOL_OPTIONS",
        "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:" + port);
  }

  /** Kills each thread with such a name, and returns the names of those that were there. */
  List<String> kill(String name) {
    Pattern form = Pattern.compile(name);
    VirtualMachine process = attach();
    try {
      // One of those that the JVM keeps for the case that there is no memory for one.
      ObjectReference error =
          process.classesByName(OutOfMemoryError.class.getName()).get(0).instances(1).get(0);
      List<ThreadReference> victims =
          process.allThreads().stream()
              .filter(thread -> form.matcher(thread.name()).matches())
              .toList();
      for (ThreadReference victim : victims) {
        victim.stop(error);
      }
      return victims.stream().map(ThreadReference::name).toList();
    } catch (InvalidTypeException e) {
      throw new IllegalStateException(e);
    } finally {
      process.dispose();
    }
  }

  private VirtualMachine attach() {
    AttachingConnector socket =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(each -> each.name().equals("com.sun.jdi.SocketAttach"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = socket.defaultArguments();
    Objects.requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
    Objects.requireNonNull(arguments.get("port")).setValue(Integer.toString(port));
    try {
      return socket.attach(arguments);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalConnectorArgumentsException e) {
      throw new IllegalStateException(e);
    }
  }
}
