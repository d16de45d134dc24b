package io.delaybridge.connect.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;

/**
 * Looks a name up and checks what it stands for. The client connects to exactly the addresses that
 * were checked and never looks the name up itself, so a name that changes in between gains nothing.
 * If one of several addresses is forbidden, the name is.
 */
final class GuardedResolver implements SocketAddressResolver {

  /** How a name becomes addresses; a test has its own. */
  interface Lookup {
    InetAddress[] all(String host) throws UnknownHostException;
  }

  private final AddressGuard guard;
  private final Lookup lookup;
  private final Executor executor;

  /** Takes the executor for lookups, which block. */
  GuardedResolver(AddressGuard guard, Lookup lookup, Executor executor) {
    this.guard = guard;
    this.lookup = lookup;
    this.executor = executor;
  }

  @Override
  public void resolve(
      String host,
      int port,
      Map<String, Object> context,
      Promise<List<InetSocketAddress>> promise) {
    executor.execute(
        () -> {
          List<InetSocketAddress> addresses;
          try {
            addresses = checked(host, port);
          } catch (UnknownHostException | ForbiddenAddressException e) {
            promise.failed(e);
            return;
          }
          promise.succeeded(addresses);
        });
  }

  private List<InetSocketAddress> checked(String host, int port)
      throws UnknownHostException, ForbiddenAddressException {
    InetAddress[] addresses = lookup.all(host);
    if (addresses.length == 0) {
      throw new UnknownHostException(host);
    }
    if (!Stream.of(addresses).allMatch(guard::allows)) {
      throw new ForbiddenAddressException(host);
    }
    return Stream.of(addresses).map(address -> new InetSocketAddress(address, port)).toList();
  }
}
