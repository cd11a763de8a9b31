package workertest

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Clock is the time by which the database judges leases, retries and timers, in one transaction.
type Clock struct {
	t   testing.TB
	tx  pgx.Tx
	now time.Time
}

// FreezeClock makes time stand still at a moment, in tx and until it is rolled back. It replaces the function
// tasker.clock, so tx must be its owner's or a superuser's, and two such tests on one database wait for one
// another.
func FreezeClock(t testing.TB, tx pgx.Tx, at time.Time) *Clock {
	t.Helper()
	c := &Clock{t: t, tx: tx, now: at}
	c.Advance(0)
	_, err := tx.Exec(t.Context(), `
		select pg_advisory_xact_lock(hashtextextended('workertest', 0));
		create or replace function tasker.clock()
		  returns timestamptz
		  language sql
		  stable
		  parallel safe
		begin atomic
		  select current_setting('workertest.clock')::timestamptz;
		end;`)
	if err != nil {
		t.Fatal("workertest: freeze the clock:", err)
	}
	return c
}

// Advance moves time on.
func (c *Clock) Advance(d time.Duration) {
	c.t.Helper()
	c.now = c.now.Add(d)
	_, err := c.tx.Exec(c.t.Context(), "select set_config('workertest.clock', $1, true)", c.now.UTC().Format(time.RFC3339Nano))
	if err != nil {
		c.t.Fatal("workertest: set the clock:", err)
	}
}

// Now returns the time.
func (c *Clock) Now() time.Time { return c.now }
