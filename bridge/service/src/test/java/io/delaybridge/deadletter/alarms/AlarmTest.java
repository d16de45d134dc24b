package io.delaybridge.deadletter.alarms;

import static io.delaybridge.deadletter.letters.Letters.AT;
import static io.delaybridge.deadletter.letters.Letters.letter;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AlarmTest {

  private static final AlarmSettings SETTINGS =
      new AlarmSettings(2, Duration.ofMinutes(1), Duration.ofMinutes(15), null);
  private static final long COOLDOWN = SETTINGS.cooldown().toMillis();

  private final List<AlertClaim> claims = new ArrayList<>();
  private final List<AlertClaim> told = new ArrayList<>();
  private long now = AT;
  private boolean kafkaTakesClaims = true;
  private boolean webhookWorks = true;
  private boolean hasRoom = true;
  private @Nullable Error broken;
  private @Nullable Error noThread;

  private final Alarm alarm = alarm("a", SETTINGS);

  private Alarm alarm(String instance, AlarmSettings settings) {
    return new Alarm(
        settings,
        instance,
        () -> Instant.ofEpochMilli(now),
        task -> {
          if (!hasRoom) {
            throw new RejectedExecutionException("full");
          }
          if (noThread != null) {
            throw noThread;
          }
          task.run();
        },
        claim -> {
          breakIfBroken();
          if (!kafkaTakesClaims) {
            throw new KafkaException("no");
          }
          claims.add(claim);
        },
        claim -> {
          told.add(claim);
          breakIfBroken();
          return webhookWorks;
        });
  }

  private void breakIfBroken() {
    if (broken != null) {
      throw broken;
    }
  }

  private void died(Alarm by, int count) {
    by.died(letter(count, "EXPIRED", "orders", now), count);
  }

  @Test
  void twoInstancesClaimAndTheFirstInTheLogIsTheOneThatTells() {
    Alarm other = alarm("b", SETTINGS);
    died(alarm, 2);
    now += 10;
    died(other, 2);
    assertThat(claims).extracting(AlertClaim::instance).containsExactly("a", "b");

    for (AlertClaim claim : List.of(claims.get(1), claims.get(0))) {
      alarm.claimed(claim);
      other.claimed(claim);
    }

    assertThat(told).extracting(AlertClaim::instance).containsExactly("b");
  }

  @Test
  void afterTheCoolDownItTellsAgain() {
    died(alarm, 2);
    alarm.claimed(claims.get(0));
    now += COOLDOWN - 1;
    died(alarm, 2);
    assertThat(claims).hasSize(1);

    now += 1;
    died(alarm, 2);
    alarm.claimed(claims.get(1));

    assertThat(told).hasSize(2);
  }

  @Test
  void aClaimOfAnInstanceWhoseClockIsAheadDoesNotSilenceTheOthers() {
    Alarm ahead = alarm("b", SETTINGS);
    now += 2 * COOLDOWN;
    died(ahead, 2);
    alarm.claimed(claims.get(0));
    now -= 2 * COOLDOWN;

    died(alarm, 2);
    alarm.claimed(claims.get(1));

    assertThat(told).extracting(AlertClaim::instance).containsExactly("a");
  }

  @Test
  void twoClocksThatAreFarApartDoNotTellOfEachLetter() {
    Alarm ahead = alarm("b", SETTINGS);
    for (int i = 0; i < 20; i++) {
      now += 1000 + 2 * COOLDOWN;
      died(ahead, 2);
      claims.forEach(ahead::claimed);
      now -= 2 * COOLDOWN;
      claims.forEach(alarm::claimed);
      claims.clear();
      died(alarm, 2);
      claims.forEach(alarm::claimed);
      now += 2 * COOLDOWN;
      claims.forEach(ahead::claimed);
      claims.clear();
      now -= 2 * COOLDOWN;
    }

    assertThat(told).hasSizeBetween(1, 2);
  }

  @Test
  void aClaimThatIsReadAgainTellsNobody() {
    died(alarm, 2);
    alarm.claimed(claims.get(0));
    now += COOLDOWN;

    alarm.claimed(claims.get(0));
    alarm("a", SETTINGS).claimed(claims.get(0));

    assertThat(told).hasSize(1);
  }

  @Test
  void aClaimThatKafkaDidNotTakeIsMadeAgainWithTheNextLetter() {
    kafkaTakesClaims = false;
    died(alarm, 2);
    kafkaTakesClaims = true;
    died(alarm, 3);

    assertThat(claims).extracting(AlertClaim::count).containsExactly(3);
  }

  @Test
  void aClaimThatEndsWithAnErrorIsMadeAgainWithTheNextLetter() {
    broken = new NoClassDefFoundError("out of luck");
    died(alarm, 2);
    broken = null;
    died(alarm, 3);

    assertThat(claims).extracting(AlertClaim::count).containsExactly(3);
  }

  @Test
  void aClaimForWhichThereIsNoRoomIsMadeAgainWithTheNextLetter() {
    hasRoom = false;
    died(alarm, 2);
    hasRoom = true;
    died(alarm, 3);

    assertThat(claims).extracting(AlertClaim::count).containsExactly(3);
  }

  /** The executor has no thread while there is nothing to do, and may get none. */
  @Test
  void aClaimForWhichThereIsNoThreadIsMadeAgainWithTheNextLetter() {
    noThread = new InternalError("no thread");
    died(alarm, 2);
    noThread = null;
    died(alarm, 3);

    assertThat(claims).extracting(AlertClaim::count).containsExactly(3);
  }

  @Test
  void aClaimThatWasNeverReadDoesNotSilenceTheReasonForEver() {
    died(alarm, 2);
    now += COOLDOWN;
    died(alarm, 2);

    assertThat(claims).hasSize(2);
  }

  @Test
  void whatTheWebhookDidNotTakeIsPostedOnceMoreWithTheNextLetter() {
    webhookWorks = false;
    died(alarm, 2);
    alarm.claimed(claims.get(0));
    died(alarm, 3);
    died(alarm, 4);

    assertThat(told).containsExactly(claims.get(0), claims.get(0));
  }

  @Test
  void aWebhookThatEndsWithAnErrorIsCalledOnceMoreWithTheNextLetter() {
    died(alarm, 2);
    broken = new NoClassDefFoundError("out of luck");
    alarm.claimed(claims.get(0));
    died(alarm, 3);
    broken = null;
    died(alarm, 4);

    assertThat(told).containsExactly(claims.get(0), claims.get(0));
  }

  @Test
  void anAlertForWhichThereIsNoRoomIsPostedWithTheNextLetterThatFindsSome() {
    died(alarm, 2);
    hasRoom = false;
    alarm.claimed(claims.get(0));
    died(alarm, 3);
    hasRoom = true;
    died(alarm, 4);

    assertThat(told).containsExactly(claims.get(0));
  }

  @Test
  void whatTheWebhookDidNotTakeIsNotPostedWhenItIsOld() {
    webhookWorks = false;
    died(alarm, 2);
    alarm.claimed(claims.get(0));
    now += COOLDOWN;
    webhookWorks = true;
    died(alarm, 2);
    alarm.claimed(claims.get(1));

    assertThat(told).containsExactly(claims.get(0), claims.get(1));
  }

  @Test
  void fewerThanTheThresholdOldOnesAndAnAlarmThatIsOffClaimNothing() {
    died(alarm, 1);
    alarm.died(letter(9, "EXPIRED", "orders", now - 60_000), 5);
    died(alarm("c", new AlarmSettings(0, SETTINGS.window(), SETTINGS.cooldown(), null)), 5);

    assertThat(claims).isEmpty();
  }
}
