package io.delaybridge.connect.it;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.QuietException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** A real HTTP server on 127.0.0.1, HTTP/1.1 and HTTP/2, with answers chosen by the test. */
public final class Receiver implements AutoCloseable {

  /**
   * A callback that came in.
   *
   * @param headers with names in lower case
   * @param at epoch milliseconds
   */
  public record Call(
      String path, String protocol, Map<String, String> headers, String text, long at) {

    /** Returns a header; "" if there is none. */
    public String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /**
   * An answer.
   *
   * @param status {@link #CUT_OFF}, {@link #NEVER} or a real one
   */
  public record Answer(int status, Map<String, String> headers) {

    /** Begins with 200 and is then cut off. */
    public static final int CUT_OFF = 0;

    /** The receiver never answers. */
    public static final int NEVER = -1;

    /** Returns an answer without headers. */
    public static Answer of(int status) {
      return new Answer(status, Map.of());
    }
  }

  /** Decides what to answer. */
  public interface Behaviour {
    /** Called on the server's threads. */
    Answer answer(Call call);
  }

  private final Server server = new Server();
  private final ServerConnector connector;

  /** The connections so far. */
  public final Map<String, Boolean> connections = new ConcurrentHashMap<>();

  /** Starts the server. */
  public Receiver(Behaviour behaviour) {
    this(behaviour, null);
  }

  /** Starts the server, with TLS if there is a key store, whose password is "changeit". */
  public Receiver(Behaviour behaviour, @Nullable Path keyStore) {
    HttpConfiguration http = new HttpConfiguration();
    HttpConnectionFactory http1 = new HttpConnectionFactory(http);
    if (keyStore == null) {
      connector = new ServerConnector(server, 1, 1, http1, new HTTP2CServerConnectionFactory(http));
    } else {
      ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
      alpn.setDefaultProtocol("http/1.1");
      SslContextFactory.Server tls = new SslContextFactory.Server();
      tls.setKeyStorePath(keyStore.toString());
      tls.setKeyStorePassword("changeit");
      connector =
          new ServerConnector(
              server,
              1,
              1,
              new SslConnectionFactory(tls, "alpn"),
              alpn,
              new HTTP2ServerConnectionFactory(http),
              http1);
    }
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(new Answering(behaviour));
    LifeCycle.start(server);
  }

  /** The port. */
  public int port() {
    return connector.getLocalPort();
  }

  /** Returns the URL of a path. */
  public String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
  }

  private final class Answering extends Handler.Abstract.NonBlocking {

    private final Behaviour behaviour;

    Answering(Behaviour behaviour) {
      this.behaviour = behaviour;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      connections.put(request.getConnectionMetaData().getRemoteSocketAddress().toString(), true);
      Content.Source.asByteBuffer(
          request,
          Promise.from(body -> answer(request, response, body, callback), callback::failed));
      return true;
    }

    private void answer(Request request, Response response, ByteBuffer body, Callback callback) {
      Map<String, String> headers = new TreeMap<>();
      for (HttpField field : request.getHeaders()) {
        headers.put(field.getLowerCaseName(), String.valueOf(field.getValue()));
      }
      byte[] bytes = new byte[body.remaining()];
      body.get(bytes);
      Answer answer =
          behaviour.answer(
              new Call(
                  request.getHttpURI().getPath(),
                  request.getConnectionMetaData().getHttpVersion().asString(),
                  headers,
                  new String(bytes, StandardCharsets.UTF_8),
                  System.currentTimeMillis()));
      if (answer.status() == Answer.NEVER) {
        return;
      }
      if (answer.status() == Answer.CUT_OFF) {
        Throwable why = new QuietException.Exception("cut off on purpose");
        response.write(
            false,
            ByteBuffer.wrap(new byte[] {'x'}),
            Callback.from(() -> callback.failed(why), callback::failed));
        return;
      }
      response.setStatus(answer.status());
      answer.headers().forEach(response.getHeaders()::put);
      callback.succeeded();
    }
  }
}
