// Package stepmessage defines the messages that bring ready steps to workers, in namespaces with transport broker.
package stepmessage

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/messaging"
)

// Lanes are the lanes of steps, the most urgent lane first.
func Lanes() []string { return []string{"high", "normal", "low"} }

// Queue returns the queue through which the ready steps of a lane of a namespace with transport broker go to workers:
// steps-shop-high, steps-shop, steps-shop-low. The queue has no dead letters, because the database still has the step of a lost
// message.
func Queue(namespace, lane string) messaging.Config {
	name := "steps-" + namespace
	if lane != "normal" {
		name += "-" + lane
	}
	return messaging.Config{Name: name, Lease: stepLease, MaxDeliveries: -1}
}

// stepLease is the time from the delivery of a step's message within which the database must have answered the worker's claim.
const stepLease = time.Minute

// Body is the body of a message that brings a step.
type Body struct {
	Namespace     string    `json:"namespace"`
	TaskUUID      uuid.UUID `json:"task_uuid"`
	StepUUID      uuid.UUID `json:"step_uuid"`
	Handler       string    `json:"handler"`
	CorrelationID uuid.UUID `json:"correlation_id"`
}

// Message returns the message with this body. Its ID is the step's UUID.
func (b Body) Message() (messaging.Message, error) {
	raw, err := json.Marshal(b)
	return messaging.Message{ID: b.StepUUID.String(), Body: raw}, err
}
