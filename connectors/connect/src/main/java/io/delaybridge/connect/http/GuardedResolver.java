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
 * Looks up a name and checks its addresses. The client connects to exactly the checked addresses
 * and never looks up the name itself, so a change of the name in between has no effect. If one of
 * several addresses is forbidden, the name is.
 */
final class GuardedResolver implements SocketAddressResolver {

  /** Resolves a name to addresses; tests have their own. */
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
          } catch (UnknownHostException | ForbiddenAddressException | RuntimeException | Error e) {
            // Without an answer, the connection pool would count this connection for ever.
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
