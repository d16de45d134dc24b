package io.delaybridge.deadletter.index;

import io.delaybridge.deadletter.alarms.AlarmSettings;
import io.delaybridge.message.Reading;
import java.util.Set;
import java.util.function.Function;

/**
 * The settings of the dead letters.
 *
 * @param groupId names the application and its transactions; the same for all instances
 * @param instance the name of this process
 * @param letterTopic the dead-letter topic
 * @param marksTopic topic that says what was done about them; one partition, compacted
 * @param intakes the intakes of this bridge, the only topics that a replay writes to
 * @param reading how new records are read, by intake
 * @param maxIndexed most dead letters that the index keeps, the newest
 * @param maxReplays a message that was replayed this often is not replayed again
 * @param alarm when to tell somebody
 */
public record DeadLetterSettings(
    String groupId,
    String instance,
    String letterTopic,
    String marksTopic,
    Set<String> intakes,
    Function<String, Reading> reading,
    int maxIndexed,
    int maxReplays,
    AlarmSettings alarm) {}
