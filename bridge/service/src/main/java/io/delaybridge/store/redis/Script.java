package io.delaybridge.store.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The script of one operation. It is run by its digest; Redis is sent the text if it does not know
 * the script.
 */
final class Script {

  static final Script OPEN = ofOwner("open");
  static final Script INGEST = ofOwner("id", "ingest");
  static final Script TAKE = ofOwner("take");
  static final Script NAMED = ofOwner("named");
  static final Script SETTLE = ofOwner("settle");
  static final Script SWEEP = ofOwner("sweep");
  static final Script RECALL = ofOwner("id", "recall");
  static final Script COMPLETE = ofOwner("complete");
  static final Script JUDGE = ofOwner("judge");
  static final Script SIGN = new Script("sign");

  private final byte[] text;
  private final String sha;

  private Script(String... parts) {
    text =
        Arrays.stream(parts)
            .map(Script::load)
            .collect(Collectors.joining())
            .getBytes(StandardCharsets.UTF_8);
    sha = sha1(text);
  }

  private static Script ofOwner(String... names) {
    return new Script(
        Stream.concat(Stream.of("keys", "shard"), Arrays.stream(names)).toArray(String[]::new));
  }

  /** Runs one call. */
  CompletableFuture<List<Object>> run(
      RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[]... args) {
    return run(redis, keys, List.<byte[][]>of(args)).get(0);
  }

  /**
   * Pipelines the calls. Calls whose script Redis does not know are sent again with the text, one
   * after the other, after all were sent by digest. Otherwise a later call could overtake an
   * earlier one, because it finds the script known, or because Lettuce writes at once what its own
   * thread sends.
   */
  List<CompletableFuture<List<Object>>> run(
      RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, List<byte[][]> calls) {
    List<CompletableFuture<List<Object>>> sent = new ArrayList<>(calls.size());
    for (byte[][] args : calls) {
      sent.add(
          redis
              .<List<Object>>evalsha(sha, ScriptOutputType.MULTI, keys, args)
              .toCompletableFuture());
    }
    List<CompletableFuture<List<Object>>> answers = new ArrayList<>(calls.size());
    CompletableFuture<?> before = CompletableFuture.completedFuture(null);
    for (int i = 0; i < calls.size(); i++) {
      byte[][] args = calls.get(i);
      CompletableFuture<?> previous = before;
      CompletableFuture<List<Object>> answer =
          sent.get(i)
              .exceptionallyCompose(
                  failure ->
                      cause(failure) instanceof RedisNoScriptException
                          ? previous
                              .handle((ignored, failed) -> null)
                              .thenCompose(
                                  turn -> redis.eval(text, ScriptOutputType.MULTI, keys, args))
                          : CompletableFuture.failedFuture(failure));
      answers.add(answer);
      before = answer;
    }
    return answers;
  }

  static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  private static String load(String name) {
    try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
      if (in == null) {
        throw new IllegalStateException(name + ".lua is missing from the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(byte[] text) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
