package io.delaybridge.admin.desk;

import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Content of messages for tests that care about one header. */
public final class Contents {

  private Contents() {}

  public static StoredMessage with(String header, String value) {
    return new StoredMessage(
        null,
        null,
        List.of(new StoredHeader(header, value.getBytes(StandardCharsets.UTF_8))),
        1,
        0,
        StoredMessage.NO_EXPIRY,
        StoredMessage.SELF,
        null,
        null,
        null,
        0,
        StoredMessage.NEAR,
        StoredMessage.SELF);
  }
}
