package limitstorm

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// The rate is ten a second with a burst of five, and many sessions claim at each instant of a clock that the test moves. No window
// of a second has more than fourteen starts, and no token is lost.
func TestRate_HoldsInEveryWindow(t *testing.T) {
	t.Parallel()
	claimers, length := pgtest.Number("PGTASKER_STORM_RATE_CLAIMERS", 6), time.Duration(pgtest.Number("PGTASKER_STORM_RATE_SECONDS", 4))*time.Second
	pool := pgtest.New(t, pgtest.MaxConns(int32(claimers+2)))
	now, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)
	limited(t, pool, sqlfn.SetLimitParams{Rate: new(int32(10)), PerSeconds: 1, Burst: 5})
	wait(t, pool, "", int(length/time.Second)*10+100)

	var starts []time.Time
	claim := func() (n int64) {
		var got atomic.Int64
		var all sync.WaitGroup
		for range claimers {
			all.Go(func() {
				claimed, err := direct.New(pool).ClaimSteps(t.Context(), direct.ClaimRequest{
					WorkerUUID: uuid.New(), Namespaces: []string{"storm"}, Limit: 1 + rand.IntN(4), Lease: 24 * time.Hour,
				})
				if err == nil {
					got.Add(int64(len(claimed)))
				}
			})
		}
		all.Wait()
		for range got.Load() {
			starts = append(starts, now)
		}
		return got.Load()
	}
	pass := func(d time.Duration) {
		t.Helper()
		now, err = enginetest.Pass(t.Context(), pool, d)
		require.NoError(t, err)
	}
	began := now
	for now.Sub(began) < length {
		claim()
		pass(time.Duration(10+rand.IntN(140)) * time.Millisecond)
	}
	most := 0
	for i := range starts {
		n := 0
		for ; i+n < len(starts) && starts[i+n].Sub(starts[i]) <= time.Second-time.Microsecond; n++ {
		}
		most = max(most, n)
	}
	t.Logf("%d starts in %s, at most %d in a second", len(starts), now.Sub(began), most)
	require.LessOrEqual(t, most, 14)
	require.GreaterOrEqual(t, len(starts), int(now.Sub(began).Seconds()*10)-2, "no token is lost while workers claim often")

	// No step ends in this test, because the test counts starts. So replaytest.Recorded would have no step to run.

	// When the clock is put back by an hour, starts pause for no longer than the burst takes.
	pass(-time.Hour)
	wait(t, pool, "", 10)
	back := now
	for claim() == 0 {
		require.Less(t, now.Sub(back), time.Second)
		pass(100 * time.Millisecond)
	}
	require.LessOrEqual(t, now.Sub(back), 500*time.Millisecond)
}
