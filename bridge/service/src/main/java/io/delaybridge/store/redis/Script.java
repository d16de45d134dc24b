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
  static final Script PAGE = new Script("page");
  static final Script SIGN = new Script("sign");
  static final Script TIME = new Script("time");

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
   * Pipelines the calls. The first of several brings the text, so Redis knows the script when it
   * reads the others. A call that must be sent again comes behind those that were sent after it.
   */
  List<CompletableFuture<List<Object>>> run(
      RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, List<byte[][]> calls) {
    List<CompletableFuture<List<Object>>> answers = new ArrayList<>(calls.size());
    for (byte[][] args : calls) {
      boolean brings = answers.isEmpty() && calls.size() > 1;
      answers.add(brings ? byText(redis, keys, args) : byDigest(redis, keys, args));
    }
    return answers;
  }

  private CompletableFuture<List<Object>> byDigest(
      RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[][] args) {
    return redis
        .<List<Object>>evalsha(sha, ScriptOutputType.MULTI, keys, args)
        .toCompletableFuture()
        .exceptionallyCompose(
            failure ->
                cause(failure) instanceof RedisNoScriptException
                    ? byText(redis, keys, args)
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<List<Object>> byText(
      RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[][] args) {
    return redis.<List<Object>>eval(text, ScriptOutputType.MULTI, keys, args).toCompletableFuture();
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
