package io.delaybridge.stack;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A minimal Redis client: one connection to 127.0.0.1, one command at a time, text only.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/protocol-spec/">RESP2</a>
 */
final class Resp implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;

  Resp(int port, Duration timeout) throws IOException {
    this(port, timeout, null);
  }

  /** Authenticates with the password, if there is one. */
  Resp(int port, Duration timeout, @Nullable String password) throws IOException {
    int millis = (int) timeout.toMillis();
    try {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
      socket.setSoTimeout(millis);
      in = new BufferedInputStream(socket.getInputStream());
      out = new BufferedOutputStream(socket.getOutputStream());
      if (password != null) {
        command("AUTH", password);
      }
    } catch (IOException | StackException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Sends one command over a connection of its own, and returns its reply.
   *
   * @throws StackException if Redis answers with an error or not at all
   */
  static @Nullable Object ask(int port, String... words) {
    return askWith(null, port, words);
  }

  /** The same, authenticated with the password if there is one. */
  static @Nullable Object askWith(@Nullable String password, int port, String... words) {
    try (Resp redis = new Resp(port, LIMIT, password)) {
      return redis.command(words);
    } catch (IOException e) {
      throw new StackException(words[0] + " got no answer from 127.0.0.1:" + port + ".", e);
    }
  }

  /**
   * Sends a command and returns its reply: a String, a Long, a List of replies, or null.
   *
   * @throws StackException if Redis answers with an error; the message is the error
   */
  @Nullable Object command(String... words) throws IOException {
    write("*" + words.length + "\r\n");
    for (String word : words) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      write("$" + bytes.length + "\r\n");
      out.write(bytes);
      write("\r\n");
    }
    out.flush();
    return reply();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private @Nullable Object reply() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> throw new StackException(rest);
      case ':' -> Long.valueOf(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> array(Integer.parseInt(rest));
      default -> throw new IOException("Not a reply: " + line);
    };
  }

  private @Nullable String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    String text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    line();
    return text;
  }

  private @Nullable List<@Nullable Object> array(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    List<@Nullable Object> replies = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      replies.add(reply());
    }
    return replies;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\r'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("Redis has closed the connection.");
      }
      line.write(b);
    }
    in.read();
    return line.toString(StandardCharsets.UTF_8);
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
