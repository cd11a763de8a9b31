package floor

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Submission is the row that a submission to tasklib leaves behind, without its UUID and times.
type Submission struct {
	Name        string          `json:"name"`
	Ready       bool            `json:"ready"`
	Priority    int32           `json:"priority"`
	MaxRetries  int32           `json:"max_retries"`
	Timeout     *int32          `json:"timeout_seconds"`
	SubmittedBy string          `json:"submitted_by"`
	Kwargs      json.RawMessage `json:"kwargs"`
}

// RecordSubmission lets tasklib submit a few tasks in one database, and writes the rows alone in another database. It
// returns an error unless the same rows are written to the same tables.
func RecordSubmission(ctx context.Context, recorded, written *pgxpool.Pool, submit func() error) (s *Submission, err error) {
	const tasks = 5
	want, err := counted(ctx, recorded, tasks, submit)
	if err != nil {
		return nil, err
	}
	var raw json.RawMessage
	if err := recorded.QueryRow(ctx, "select to_jsonb(t) from tasklib.tasks as t order by t.id desc limit 1").Scan(&raw); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	got, err := counted(ctx, written, tasks, func() error { return s.Write(ctx, written) })
	if err != nil {
		return nil, err
	}
	if want["tasklib.tasks INSERT"] != tasks {
		return nil, errors.New("the submissions were not counted")
	}
	if err := compareCounts(want, got); err != nil {
		return nil, err
	}
	var rows [2][]string
	for i, pool := range []*pgxpool.Pool{recorded, written} {
		r, err := pool.Query(ctx, "select "+masked+" from tasklib.tasks as t order by t.id")
		if err != nil {
			return nil, err
		}
		if rows[i], err = pgx.CollectRows(r, pgx.RowTo[string]); err != nil {
			return nil, err
		}
	}
	return s, compareRows("tasklib.tasks", rows[0], rows[1])
}

// counted runs a function a few times, and returns the rows that were written to each table.
func counted(ctx context.Context, pool *pgxpool.Pool, times int, do func() error) (map[string]int64, error) {
	before, err := Counts(ctx, nil, pool)
	if err != nil {
		return nil, err
	}
	for range times {
		if err := do(); err != nil {
			return nil, err
		}
	}
	after, err := Counts(ctx, nil, pool)
	return Since(before, after), err
}

// Write writes the row once more.
func (s *Submission) Write(ctx context.Context, pool *pgxpool.Pool) error {
	_, err := pool.Exec(ctx, `
		insert into tasklib.tasks (
		  id, created_at, scheduled_at, ready, priority, max_retries, timeout_seconds, name, submitted_by, kwargs
		)
		values ($1, now(), now(), $2, $3, $4, $5, $6, $7, $8)`,
		uuid.Must(uuid.NewV7()), s.Ready, s.Priority, s.MaxRetries, s.Timeout, s.Name, s.SubmittedBy, s.Kwargs)
	return err
}
