// Package messagingtest has the tests that every implementation of messaging.Queue passes.
//
//	func TestQueue(t *testing.T) {
//		messagingtest.Run(t, messagingtest.Broker{Open: …, Disconnect: …})
//	}
//
// The suite needs one broker, in which it creates queues with names that begin with "suite_", and takes about ten
// seconds.
package messagingtest

import (
	"testing"

	"github.com/pgtasker/pgtasker/messaging"
)

// Broker is an implementation under test. Both fields are required.
type Broker struct {
	// Open opens a queue as a process of its own would. The suite closes it. Fails the test if it cannot.
	Open func(t *testing.T, config messaging.Config) messaging.Queue
	// Disconnect breaks every connection of the queues that are open, without their knowledge. New connections are
	// possible at once.
	Disconnect func(t *testing.T)
}

// Run runs the suite, each promise in a subtest.
func Run(t *testing.T, broker Broker) {
	t.Helper()
	if broker.Open == nil || broker.Disconnect == nil {
		t.Fatal("messagingtest: a Broker needs Open and Disconnect")
	}
	// This subtest disturbs all other subtests. Parallel subtests begin after it.
	t.Run("a lost connection is opened again and loses no message", broker.run(disconnected))
	for _, promise := range []struct {
		name string
		test func(*suite)
	}{
		{"messages come in the order of sending", order},
		{"an acknowledged message is gone", acknowledged},
		{"a refused message comes again", refused},
		{"a message comes again when its lease has ended", leaseEnded},
		{"an extended lease holds", extended},
		{"a message that is sent twice comes twice, under one ID", duplicates},
		{"a message that is refused too often becomes a dead letter", poison},
		{"a message whose only delivery fails becomes a dead letter", poisonAtOnce},
		{"large and hostile bodies and headers come as they were sent", payloads},
		{"what cannot be sent is refused, and its whole batch with it", unsendable},
		{"bad arguments are refused", badArguments},
		{"the depth counts what could be received", depth},
		{"of several receivers one gets each message", concurrent},
		{"a waiting receiver gets what is sent", waiting},
		{"a receiver that stops waiting loses no message", stopsWaiting},
		{"a receiver that ends leaves its messages to others", closedReceiver},
		{"a closed queue says so", closed},
	} {
		t.Run(promise.name, func(t *testing.T) {
			t.Parallel()
			broker.run(promise.test)(t)
		})
	}
}

func (b Broker) run(test func(*suite)) func(*testing.T) {
	return func(t *testing.T) { test(&suite{T: t, broker: b, name: newName()}) }
}
