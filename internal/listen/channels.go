package listen

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/gen"
)

// Channels implements Marks for a client of schema tasker that waits for notifications on these channels.
type Channels struct {
	// Sleeper is the client's own UUID.
	Sleeper uuid.UUID
	// Names returns the channels. The channel of a single task is tasker_task_events, a dot and the task's UUID.
	Names func() []string
}

// ofCall is the largest number of channels in one call of the database.
const ofCall = 1000

// MarkSleeping implements Marks.
func (c Channels) MarkSleeping(ctx context.Context, conn *pgx.Conn, seconds int32) (heeded bool, err error) {
	heeded = true
	for names := range slices.Chunk(c.Names(), ofCall) {
		some, err := gen.New(conn).MarkSleeping(ctx, c.Sleeper, names, &seconds)
		if err != nil {
			return false, err
		}
		heeded = heeded && some
	}
	return heeded, nil
}

// MarkAwake implements Marks.
func (c Channels) MarkAwake(ctx context.Context, conn *pgx.Conn) error {
	names := c.Names()
	if len(names) == 0 {
		return nil
	}
	_, err := gen.New(conn).MarkAwake(ctx, c.Sleeper, names)
	return err
}

// OpenWriters implements Marks.
func (c Channels) OpenWriters(ctx context.Context, conn *pgx.Conn, writers []int64) ([]int64, error) {
	return gen.New(conn).OpenWriters(ctx, writers)
}
