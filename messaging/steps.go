package messaging

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// Open opens a queue of a broker: Open of messaging/rabbitmq or messaging/pgmq with the configuration completed.
type Open func(ctx context.Context, config Config) (Queue, error)

// StepLanes are the lanes of steps, the one that goes first at the front.
func StepLanes() []string { return []string{"high", "normal", "low"} }

// StepQueue returns the queue through which the ready steps of a lane of a namespace with transport broker go to workers:
// steps-shop-high, steps-shop, steps-shop-low. Nothing in it is a dead letter: the database has the step.
func StepQueue(namespace, lane string) Config {
	name := "steps-" + namespace
	if lane != "normal" {
		name += "-" + lane
	}
	return Config{Name: name, Lease: stepLease, MaxDeliveries: -1}
}

// stepLease is how long a worker has from the delivery of a step's message until the database has answered its claim.
const stepLease = time.Minute

// StepMessage is the body of a message that brings a step.
type StepMessage struct {
	Namespace     string    `json:"namespace"`
	TaskUUID      uuid.UUID `json:"task_uuid"`
	StepUUID      uuid.UUID `json:"step_uuid"`
	Handler       string    `json:"handler"`
	CorrelationID uuid.UUID `json:"correlation_id"`
}

// Message returns the message with this body. Its ID is the step's.
func (m StepMessage) Message() (Message, error) {
	body, err := json.Marshal(m)
	return Message{ID: m.StepUUID.String(), Body: body}, err
}
