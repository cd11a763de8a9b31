package executor

import "github.com/google/uuid"

// NewTaskUUID returns a UUID for a new task. The UUID has version 7. Its last 16 bits are zero, since these bits hold the step number in
// the UUIDs of the task's steps. A request without a UUID gets one from the database. Use NewTaskUUID if a program must know the UUID
// before the request. NewTaskUUID panics only if the system has no randomness.
func NewTaskUUID() uuid.UUID {
	id := uuid.Must(uuid.NewV7())
	id[14], id[15] = 0, 0
	return id
}
