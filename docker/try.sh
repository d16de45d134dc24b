#!/usr/bin/env bash
# Tries the containers: builds the image, starts Kafka, Redis and two bridges of compose.yaml, has one record delivered, stops a
# bridge, and removes all of it again but the image. Needs an engine with compose, and its ports free; takes minutes.
#
#   docker/try.sh                        with docker compose
#   COMPOSE=podman-compose docker/try.sh
set -euo pipefail
cd "$(dirname "$0")"
read -ra compose <<<"${COMPOSE:-docker compose}"

# Under a name of its own, so that nobody's data is removed.
stack() {
  "${compose[@]}" -p delay-bridge-try -f compose.yaml "$@"
}
ended() {
  status=$?
  ((status == 0)) || stack logs --tail 40 || true
  stack down --volumes --timeout 20
  ((status == 0)) && echo "The containers work: one record went through them." || echo "The containers do not work." >&2
  exit "$status"
}
trap ended EXIT

stack up --build --detach --wait kafka redis bridge-1 bridge-2
topic=try.$RANDOM
stack exec -T kafka /opt/kafka/bin/kafka-topics.sh --bootstrap-server kafka:19092 --create --topic "$topic"
stack exec -T bridge-1 java -jar delay-bridge.jar send --target "$topic" --delay PT2S --value hello
arrived=$(timeout 60 "${compose[@]}" -p delay-bridge-try -f compose.yaml exec -T bridge-2 \
  java -jar delay-bridge.jar tail "$topic" --from-beginning --max 1)
echo "$arrived"
[[ $arrived == *value=hello* ]]

stack stop --timeout 15 bridge-1
stack logs bridge-1 | grep -E 'did not end in time|Not all loops have left' && exit 1
stack exec -T bridge-2 ./probe /live
