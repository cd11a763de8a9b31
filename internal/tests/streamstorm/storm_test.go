package streamstorm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// reading is how far the reader of a stream has come.
type reading struct {
	step uuid.UUID
	last int64
}

// storm is one run. PGTASKER_STORM_STREAMS, PGTASKER_STORM_LINES and PGTASKER_STORM_CRASHES make it longer.
type storm struct {
	pool           *pgxpool.Pool
	streams, lines int
	written        atomic.Int64
}

func TestStorm_StreamsAreCompleteInOrderAndOnceWhileTheyAreWrittenAndAfterARestart(t *testing.T) {
	s := &storm{streams: pgtest.Number("PGTASKER_STORM_STREAMS", 20), lines: pgtest.Number("PGTASKER_STORM_LINES", 200)}
	crashes := pgtest.Number("PGTASKER_STORM_CRASHES", 1)
	pool, server := pgtest.NewPrivate(t, pgtest.MaxConns(24))
	s.pool = pool
	e := direct.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(
		`{"namespace": "storm", "name": "write", "identity_strategy": "always_unique", "steps": [{"name": "write", "retry": {"max_attempts": 1000, "base_seconds": 0.1}}]}`))
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), "select tasker.create_tasks('storm', 'write', array_fill('{}'::jsonb, array[$1::integer]))", s.streams)
	require.NoError(t, err)
	rows, err := pool.Query(t.Context(), "select s.workflow_step_uuid from tasker.workflow_steps as s")
	require.NoError(t, err)
	var readings []*reading
	for rows.Next() {
		r := &reading{}
		require.NoError(t, rows.Scan(&r.step))
		readings = append(readings, r)
	}
	require.NoError(t, rows.Err())
	require.Len(t, readings, s.streams)

	ctx, stop := context.WithTimeout(t.Context(), 60*time.Minute)
	defer stop()
	w, err := worker.New(pool, worker.Config{Namespaces: []string{"storm"}, Concurrency: 50, Lease: 5 * time.Second})
	require.NoError(t, err)
	worker.Handle(w, "write", s.write)
	working, rest := context.WithCancel(ctx)
	ran := make(chan error, 1)
	go func() { ran <- w.Run(working) }()

	var readers sync.WaitGroup
	failed := make(chan error, len(readings))
	const groups = 4
	for g := range groups {
		readers.Go(func() {
			for i := g; i < len(readings); i += groups {
				if err := s.follow(ctx, readings[i], i%8 == 0); err != nil {
					failed <- fmt.Errorf("stream %d: %w", i, err)
				}
			}
		})
	}
	total := int64(s.streams * s.lines)
	for crash := range crashes {
		for s.written.Load() < total*int64(crash+1)/int64(crashes+1) && ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		require.NoError(t, server.Crash(ctx))
	}
	readers.Wait()
	select {
	case err := <-failed:
		t.Fatal(err)
	default:
	}
	rest()
	require.NoError(t, <-ran)

	require.NoError(t, server.Restart(ctx))
	require.Eventually(t, func() bool { return pool.Ping(ctx) == nil }, time.Minute, 10*time.Millisecond)
	for _, r := range readings {
		again := &reading{step: r.step}
		require.NoError(t, s.read(ctx, again, executor.StreamOptions{}), "after a restart")
		require.EqualValues(t, s.lines, again.last)
	}
	var problems []string
	require.NoError(t, pool.QueryRow(ctx, "select array(select p.problem from tasker.check_integrity() as p)").Scan(&problems))
	require.Empty(t, problems)
}

// write goes on at the end of the stream, because an earlier attempt may have written.
func (s *storm) write(ctx context.Context, job *worker.Job[struct{}]) (string, error) {
	next := 1
	for stream, err := range executor.NewClient(s.pool).Tasks().Streams(ctx, job.StepUUID) {
		if err != nil {
			return "", err
		}
		if stream.Name == "lines" {
			next = int(stream.LastNo) + 1
		}
	}
	for next <= s.lines {
		batch := []any{}
		for range min(1+rand.IntN(50), s.lines-next+1) {
			batch = append(batch, next)
			next++
		}
		if err := job.Append(ctx, "lines", batch...); err != nil {
			return "", err
		}
		s.written.Add(int64(len(batch)))
	}
	return "done", nil
}

// follow reads a stream until it has all lines, and begins again after its last number when the server was away. With listens it
// waits by the client's follower, which listens.
func (s *storm) follow(ctx context.Context, r *reading, listens bool) error {
	for r.last < int64(s.lines) {
		err := s.read(ctx, r, executor.StreamOptions{After: r.last, Follow: listens})
		var wrong wrongLine
		if ctx.Err() != nil || errors.As(err, &wrong) {
			return err
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

type wrongLine string

func (w wrongLine) Error() string { return string(w) }

func (s *storm) read(ctx context.Context, r *reading, options executor.StreamOptions) error {
	for entry, err := range executor.NewClient(s.pool).Tasks().ReadStream(ctx, r.step, "lines", options) {
		if err != nil {
			return err
		}
		if entry.ItemNo != r.last+1 || string(entry.Item) != fmt.Sprint(entry.ItemNo) {
			return wrongLine(fmt.Sprintf("after %d came %d, %s", r.last, entry.ItemNo, entry.Item))
		}
		r.last = entry.ItemNo
	}
	return nil
}
