// Schedules or cancels: BOOTSTRAP schedule TARGET DURATION ID... | BOOTSTRAP cancel ID...
package main

import (
	"context"
	"log"
	"os"

	"github.com/twmb/franz-go/pkg/kgo"
)

// snippet: producer
func schedule(target, duration, id string, value []byte) *kgo.Record {
	return &kgo.Record{Topic: "delay-intake", Key: []byte(id), Value: value, Headers: []kgo.RecordHeader{
		{Key: "delay-target-topic", Value: []byte(target)},
		{Key: "delay-duration", Value: []byte(duration)},
		{Key: "delay-id", Value: []byte(id)},
	}}
}

func cancel(id string) *kgo.Record {
	return &kgo.Record{Topic: "delay-intake", Key: []byte(id), Headers: []kgo.RecordHeader{
		{Key: "delay-id", Value: []byte(id)},
		{Key: "delay-op", Value: []byte("cancel")},
	}}
}

func send(bootstrap string, records ...*kgo.Record) error {
	// Its default partitioner puts a key where Kafka's Java client puts it.
	client, err := kgo.NewClient(kgo.SeedBrokers(bootstrap))
	if err != nil {
		return err
	}
	defer client.Close()
	return client.ProduceSync(context.Background(), records...).FirstErr()
}

// end

func main() {
	bootstrap, op, rest := os.Args[1], os.Args[2], os.Args[3:]
	var records []*kgo.Record
	if op == "schedule" {
		for _, id := range rest[2:] {
			records = append(records, schedule(rest[0], rest[1], id, []byte(id)))
		}
	} else {
		for _, id := range rest {
			records = append(records, cancel(id))
		}
	}
	if err := send(bootstrap, records...); err != nil {
		log.Fatal(err)
	}
}
