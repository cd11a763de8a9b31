package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
)

// discard drops the oldest range of each subject with more than two ranges. Then it deletes the rows of the next
// range, as would be necessary without partitions.
func discard(ctx context.Context, subjects []subject) error {
	rows := [][]string{{"", "steps in the range", "drop, the whole call", "WAL bytes", "delete of as many", "its vacuum", "WAL bytes"}}
	for _, s := range subjects {
		if s.ranges < 3 {
			continue
		}
		row, err := s.discard(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		rows = append(rows, row)
	}
	lab.Table(rows)
	return nil
}

func (s subject) discard(ctx context.Context) ([]string, error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	// No range has reached its age of removal, so this call only makes the plans.
	if _, err := executor.New(conn).ApplyRetention(ctx); err != nil {
		return nil, err
	}
	// Now only the oldest range has reached its age of removal.
	_, err = conn.Exec(ctx, `
		update tasker.partition_config
		   set retention = (select now() - ends_at - interval '1 minute' from tasker.partition_ranges order by starts_at limit 1)`)
	if err != nil {
		return nil, err
	}

	var dropped, deleted, vacuumed time.Duration
	dropWAL, err := lab.WAL(ctx, s.pool, func() error {
		start := time.Now()
		outcomes, err := executor.New(conn).ApplyRetention(ctx)
		dropped = time.Since(start)
		if err == nil && (len(outcomes) != 1 || outcomes[0].Outcome != "dropped") {
			err = fmt.Errorf("retention: %v", outcomes)
		}
		return err
	})
	if err != nil {
		return nil, err
	}

	var suffix string
	if err := conn.QueryRow(ctx, `select suffix from tasker.partition_ranges order by starts_at limit 1`).Scan(&suffix); err != nil {
		return nil, err
	}
	var steps int64
	deleteWAL, err := lab.WAL(ctx, s.pool, func() error {
		start := time.Now()
		for _, table := range []string{"workflow_steps", "tasks"} {
			tag, err := conn.Exec(ctx, fmt.Sprintf("delete from tasker.%s_%s", table, suffix))
			if err != nil {
				return err
			}
			if table == "workflow_steps" {
				steps = tag.RowsAffected()
			}
		}
		deleted = time.Since(start)
		return vacuum(ctx, conn, suffix, &vacuumed)
	})
	return []string{
		s.String(), fmt.Sprint(steps), dropped.Round(100 * time.Microsecond).String(), fmt.Sprint(dropWAL),
		deleted.Round(time.Millisecond).String(), vacuumed.Round(time.Millisecond).String(), fmt.Sprint(deleteWAL),
	}, err
}

func vacuum(ctx context.Context, conn *pgxpool.Conn, suffix string, took *time.Duration) error {
	start := time.Now()
	_, err := conn.Exec(ctx, fmt.Sprintf(
		"vacuum tasker.workflow_steps_%[1]s, tasker.tasks_%[1]s", suffix))
	*took = time.Since(start)
	return err
}
