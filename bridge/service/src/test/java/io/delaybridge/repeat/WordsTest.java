package io.delaybridge.repeat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 9 * * MON-FRI      | at 09:00, on Monday to Friday
          30 4 1,15 * 5        | at 04:30, on day 1 and 15 of the month or on Friday
          0 0 */2 * 1          | at 00:00, on day 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29 and 31 of the month if it is Monday
          @yearly              | at 00:00, on day 1 of the month, in January
          @hourly              | at minute 0
          * * * * *            | every minute
          */15 * * * *         | every 15 minutes
          */15 9-17 * * *      | every 15 minutes, at hour 9 to 17
          5 */2 * * *          | at minute 5, every 2 hours
          */7 * * * *          | at minute 0, 7, 14, 21, 28, 35, 42, 49 and 56
          */10 * * * * *       | every 10 seconds
          15 30 8,12 * * *     | at 08:30:15 and 12:30:15
          30 * * * * *         | at second 30
          0 0 * * 0,7          | at 00:00, on Sunday
          0 0 1-31 * MON       | at 00:00
          0 0 13 * 0-6         | at 00:00
          0 0 * JUN-AUG 6,7    | at 00:00, on Sunday and Saturday, in June to August
          """)
  void anExpressionIsSaidInWords(String cron, String words) {
    assertThat(Cron.parse(cron)).hasToString(words);
  }

  @ParameterizedTest
  @CsvSource({
    "PT1S,every second",
    "PT15M,every 15 minutes",
    "PT24H,every day",
    "P1DT12H,every 1 day 12 hours",
    "PT1.5S,every 1 second 500 milliseconds"
  })
  void anIntervalIsSaidInWords(Duration every, String words) {
    assertThat(new Rule.Every(every.toMillis())).hasToString(words);
  }
}
