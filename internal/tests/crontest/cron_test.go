package crontest

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// zones are time zones whose clocks change by an hour in spring and autumn, at midnight, by half an hour, around Ramadan,
// and never.
var zones = []string{
	"Europe/Berlin", "America/New_York", "America/Santiago", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kolkata",
}

var (
	begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	end   = time.Date(2036, 1, 1, 0, 0, 0, 0, time.UTC)
)

// databaseTicks returns the ticks of the database after from and until the end.
func databaseTicks(t *testing.T, pool *pgxpool.Pool, cron written, zone string, from, until time.Time) []time.Time {
	t.Helper()
	var ticks []time.Time
	require.NoError(t, pool.QueryRow(t.Context(), `
		with recursive ticks (tick) as (
		  select tasker.cron_next($1, $2, $3)
		  union all
		  select tasker.cron_next($1, $2, k.tick) from ticks as k where k.tick <= $4
		)
		select coalesce(array_agg(k.tick order by k.tick) filter (where k.tick <= $4), '{}') from ticks as k`,
		cron.text, zone, from, until).Scan(&ticks), "%q in %s after %s", cron.text, zone, from)
	for i := range ticks {
		ticks[i] = ticks[i].UTC()
	}
	return ticks
}

func compare(t *testing.T, pool *pgxpool.Pool, cron written, zoneName string, from, until time.Time) int {
	t.Helper()
	zone, err := time.LoadLocation(zoneName)
	require.NoError(t, err)
	want := cron.ticks(zone, from, until)
	have := databaseTicks(t, pool, cron, zoneName, from, until)
	require.Equal(t, len(want), len(have), "%q in %s, %s to %s: %s, want %s", cron.text, zoneName, from, until, have, want)
	for i := range want {
		require.True(t, want[i].Equal(have[i]), "%q in %s, tick %d after %s: %s, want %s", cron.text, zoneName, i, from, have[i], want[i])
	}
	return len(want)
}

// With PGTASKER_SOAK the expressions tick for ten years, otherwise for ten weeks around a leap day. So they meet leap days, ends
// of months, and the hours in which clocks change.
func TestCron_AgreesWithTheReferenceOverYears(t *testing.T) {
	t.Parallel()
	from, until := begin.AddDate(2, 1, 0), begin.AddDate(2, 3, 10)
	if os.Getenv("PGTASKER_SOAK") != "" {
		from, until = begin, end
	}
	pool := pgtest.New(t)
	count := 0
	for _, zone := range zones {
		for _, text := range []string{
			"30 2 * * *", "15 2 * * *", "0 0 * * *", "30 0,1,2,3 * * *", "0 0 29 2 *", "59 23 31 * *", "0 12 30 1,2,3 *", "0 0 13 * 5",
		} {
			count += compare(t, pool, write(text), zone, from, until)
		}
	}
	t.Logf("%d ticks", count)
}

// Dense and random expressions tick from random instants, half of which are near a change of clocks.
func TestCron_AgreesWithTheReferenceForRandomExpressions(t *testing.T) {
	t.Parallel()
	seed, cases := uint64(time.Now().UnixNano()), 15
	if os.Getenv("PGTASKER_SOAK") != "" {
		cases = 3_000
	}
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	pool := pgtest.New(t)
	near := map[string][]time.Time{}
	for _, name := range zones {
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		near[name] = changes(zone, begin, end)
	}
	dense := []written{write("* * * * *"), write("*/30 * * * *"), write("0 * * * *"), write("15,45 * * * *"), write("*/20 1,2,3 * * *")}
	count := 0
	for range cases {
		zone := zones[r.IntN(len(zones))]
		from := begin.Add(time.Duration(r.Int64N(int64(end.Sub(begin)))))
		if all := near[zone]; len(all) > 0 && r.IntN(2) == 0 {
			from = all[r.IntN(len(all))].Add(time.Duration(r.Int64N(int64(10*time.Hour))) - 6*time.Hour)
		}
		cron := random(r)
		span := 40 * 24 * time.Hour / time.Duration(1+len(cron.minutes)*len(cron.hours)/10)
		if r.IntN(3) == 0 {
			cron, span = dense[r.IntN(len(dense))], 9*time.Hour
		}
		from = from.Truncate(time.Second)
		count += compare(t, pool, cron, zone, from, from.Add(span))
	}
	t.Logf("%d ticks", count)
}
