package eventstorm

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// times are how long exchanges took.
type times []time.Duration

// at returns the given percentile of the times.
func (ts times) at(percent int) time.Duration {
	if len(ts) == 0 {
		return 0
	}
	slices.Sort(ts)
	return ts[(len(ts)-1)*percent/100]
}

func (ts times) String() string {
	return fmt.Sprintf("%d exchanges, p50 %s, p95 %s, p99 %s, slowest %s", len(ts),
		ts.at(50).Round(10*time.Microsecond), ts.at(95).Round(10*time.Microsecond), ts.at(99).Round(10*time.Microsecond), ts.at(100).Round(10*time.Microsecond))
}

// within asserts that the 99th percentile of exchanges is less than bound times that of others. Fewer than 1,000 exchanges, as in
// the short form, show mostly other work on the machine, so within does not judge them.
func (ts times) within(t *testing.T, bound time.Duration, others times) {
	t.Helper()
	require.NotEmpty(t, ts)
	require.NotEmpty(t, others)
	if min(len(ts), len(others)) >= 1000 {
		require.Less(t, ts.at(99), bound*others.at(99), "99th percentile of %s, others %s", ts, others)
	}
}

// others is a worker of another namespace. It holds ten steps at a time, and sends their results with the claim of the next ten.
type others struct {
	*storm
	worker uuid.UUID
	held   []direct.StepResult
	stock  int
}

func (s *storm) others() *others { return &others{storm: s, worker: uuid.New()} }

// work exchanges until enough returns true, and returns how long each exchange took.
func (o *others) work(enough func(n int) bool) (took times) {
	o.Helper()
	e := direct.New(o.pool)
	for !enough(len(took)) {
		if o.stock < 10 {
			o.exec("select count(*) from tasker.create_tasks('plain', 'plain', array_fill('{}'::jsonb, array[200]))")
			o.stock += 200
		}
		began := time.Now()
		reply, err := e.ExchangeSteps(o.Context(), direct.Exchange{
			Results: o.held, ClaimRequest: direct.ClaimRequest{WorkerUUID: o.worker, Namespaces: []string{"plain"}, Limit: 10},
		})
		took = append(took, time.Since(began))
		require.NoError(o, err)
		for _, answer := range reply.Answers {
			require.EqualValues(o, "completed", answer.Answer)
		}
		require.Len(o, reply.Claimed, 10)
		o.stock -= len(reply.Claimed)
		o.held = results(reply.Claimed)
	}
	return took
}

// register makes steps wait for an event. It alternately times exchanges that match these steps with the kept events, and
// exchanges that find no step to match.
func (o *others) register(crowd int) (without, matching times) {
	o.Helper()
	const each = 50 // steps that begin to wait for each exchange, which matches 12
	for made := 0; made < crowd; made += 1000 {
		n := min(1000, crowd-made)
		o.exec(fmt.Sprintf("select count(*) from tasker.create_tasks('storm', 'crowd', array_fill('{}'::jsonb, array[%d]))", n))
		matching = append(matching, o.work(func(done int) bool { return done == n/each })...)
		for o.count("select count(*) from tasker.timers") > 0 {
			_, err := direct.New(o.pool).FireDueTimers(o.Context(), 1000)
			require.NoError(o, err)
		}
		without = append(without, o.work(func(done int) bool { return done == n/each })...)
	}
	return without, matching
}

// compareEmitting times exchanges for the duration d, beside an open transaction that has emitted an event. The event
// alternates between an event that no step waits for and the event that the crowd waits for.
func (o *others) compareEmitting(d time.Duration) (another, crowds times) {
	o.Helper()
	turn := func(n int) bool { return n == 10 }
	for end := time.Now().Add(d); len(crowds) < 20 || time.Now().Before(end); {
		o.emitting("another", false, func() { another = append(another, o.work(turn)...) })
		o.emitting("go", false, func() { crowds = append(crowds, o.work(turn)...) })
	}
	return another, crowds
}

// compare times exchanges until the given number of steps have got the event. It alternates between three cases: nothing
// delivers the event, deliverers deliver it, or only the exchanges themselves deliver it. So all cases are timed under the same
// load of the machine.
func (o *others) compare(until int, deliverers *gate) (without, beside, alone times) {
	o.Helper()
	turn := func(n int) bool { return n == 20 }
	for o.count("select count(*) from tasker.broadcast_receipts") < until {
		beside = append(beside, o.work(turn)...)
		deliverers.close()
		o.exec("update tasker.timers set due_at = now() where kind = 'deliver_event'") // which deliverers have kept to themselves
		alone = append(alone, o.work(turn)...)
		note, err := o.pool.Begin(o.Context())
		require.NoError(o, err)
		_, err = note.Exec(o.Context(), "select from tasker.timers where kind = 'deliver_event' for update")
		require.NoError(o, err)
		without = append(without, o.work(turn)...)
		require.NoError(o, note.Rollback(o.Context()))
		deliverers.open()
	}
	return without, beside, alone
}

// results are the results with which a worker completes the steps that it has claimed.
func results(claimed []gen.ClaimedStep) (held []direct.StepResult) {
	for _, c := range claimed {
		held = append(held, direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}})
	}
	return held
}

// reads has the number of blocks that a statement touched of each table and index.
type reads map[string]int

func (r reads) sum() (n int) {
	for _, blocks := range r {
		n += blocks
	}
	return n
}

// beyond names the relations of which the first count has more blocks than the other.
func (r reads) beyond(other reads) string {
	var parts []string
	for _, name := range slices.SortedFunc(maps.Keys(r), func(a, b string) int { return cmp.Or(cmp.Compare(r[b]-other[b], r[a]-other[a]), cmp.Compare(a, b)) }) {
		if r[name] > other[name] {
			parts = append(parts, fmt.Sprintf("%s %d → %d", name, other[name], r[name]))
		}
	}
	return strings.Join(parts, ", ")
}

// requireNoneOfWaits fails the test if a table of waits or events, or an index of one, was touched.
func (r reads) requireNoneOfWaits(t *testing.T) {
	t.Helper()
	for name, blocks := range r {
		require.False(t, strings.HasPrefix(name, "waits") || strings.HasPrefix(name, "broadcast"), "%d blocks of %s", blocks, name)
	}
}

// claimReads returns the blocks that a claim of another namespace touches, the least of ten claims.
func (s *storm) claimReads() (least reads) {
	s.Helper()
	s.exec("select count(*) from tasker.create_tasks('plain', 'plain', array_fill('{}'::jsonb, array[10]))")
	conn, err := s.pool.Acquire(s.Context())
	require.NoError(s, err)
	defer conn.Release()
	ctx := s.Context()
	for range 10 {
		before := blocksOf(ctx, s, conn.Conn())
		tx, err := conn.Begin(ctx)
		require.NoError(s, err)
		_, err = tx.Exec(ctx, "select count(*) from tasker.claim_steps('{plain}', '01980000-0000-7000-8000-00000000000b', 1)")
		require.NoError(s, err)
		require.NoError(s, tx.Rollback(ctx))
		after := blocksOf(ctx, s, conn.Conn())
		for name, blocks := range after {
			if after[name] = blocks - before[name]; after[name] == 0 {
				delete(after, name)
			}
		}
		if least == nil || after.sum() < least.sum() {
			least = after
		}
	}
	return least
}

// blocksOf returns the server's counts for the engine's tables and indexes, including the work of this session.
func blocksOf(ctx context.Context, s *storm, conn *pgx.Conn) reads {
	s.Helper()
	_, err := conn.Exec(ctx, "select pg_stat_force_next_flush()")
	require.NoError(s, err)
	rows, err := conn.Query(ctx, `
		select t.relname::text, (t.heap_blks_read + t.heap_blks_hit)::integer from pg_statio_user_tables as t where t.schemaname = 'tasker'
		union all
		select i.indexrelname, i.idx_blks_read + i.idx_blks_hit from pg_statio_user_indexes as i where i.schemaname = 'tasker'`)
	require.NoError(s, err)
	found := reads{}
	var name string
	var blocks int
	_, err = pgx.ForEachRow(rows, []any{&name, &blocks}, func() error {
		found[name] += blocks
		return nil
	})
	require.NoError(s, err)
	return found
}
