package io.delaybridge.store.redis;

import org.jspecify.annotations.Nullable;

/**
 * How the bridge logs in to Sentinels. The login in the address is that of Redis itself.
 *
 * @param user null for the default user
 * @param password null if the Sentinels ask for none
 */
public record SentinelLogin(@Nullable String user, @Nullable String password) {

  /** The Sentinels ask for no password. */
  public static final SentinelLogin NONE = new SentinelLogin(null, null);

  /** An empty text is none. Throws IllegalArgumentException if there is a user but no password. */
  public SentinelLogin {
    user = user == null || user.isEmpty() ? null : user;
    password = password == null || password.isEmpty() ? null : password;
    if (user != null && password == null) {
      throw new IllegalArgumentException(
          "redis.sentinel.user is '%s' and redis.sentinel.password is empty, allowed: a password as well, or no user"
              .formatted(user));
    }
  }

  /** Leaves out the password. */
  @Override
  public String toString() {
    return "SentinelLogin[user=%s]".formatted(user);
  }
}
