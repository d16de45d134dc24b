"""Schedules or cancels: BOOTSTRAP schedule TARGET DURATION ID... | BOOTSTRAP cancel ID..."""

import sys

# snippet: producer
from confluent_kafka import Producer


def connect(bootstrap):
    # murmur2 puts a key into the partition that Kafka's Java client puts it into. The default of
    # librdkafka does not, and then a cancel from Java would not find what Python has scheduled.
    # Without idempotence, which is Java's default and not librdkafka's, a batch that is sent again
    # may come behind the next one: a cancel before what it cancels.
    return Producer(
        {
            "bootstrap.servers": bootstrap,
            "partitioner": "murmur2_random",
            "enable.idempotence": True,
        }
    )


def schedule(producer, target, duration, id, value):
    headers = {"delay-target-topic": target, "delay-duration": duration, "delay-id": id}
    producer.produce("delay-intake", key=id, value=value, headers=headers, on_delivery=check)


def cancel(producer, id):
    headers = {"delay-id": id, "delay-op": "cancel"}
    producer.produce("delay-intake", key=id, headers=headers, on_delivery=check)


def check(error, record):
    if error:
        raise RuntimeError(f"not sent: {error}")
# end


if __name__ == "__main__":
    bootstrap, op, *rest = sys.argv[1:]
    producer = connect(bootstrap)
    if op == "schedule":
        target, duration, *ids = rest
        for each in ids:
            schedule(producer, target, duration, each, each)
    else:
        for each in rest:
            cancel(producer, each)
    sys.exit(producer.flush(30))
