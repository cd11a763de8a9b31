package executor

import "github.com/google/uuid"

// NewTaskUUID returns a UUID that a task may be created with: version 7, the last 16 bits zero, where
// the steps of the task carry their number. Leave the UUID out and the database makes one. Make it
// here when it must be known before. It panics only if the system has no randomness.
func NewTaskUUID() uuid.UUID {
	id := uuid.Must(uuid.NewV7())
	id[14], id[15] = 0, 0
	return id
}
