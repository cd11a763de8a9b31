package worker

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLog_WarnsOnceThatTheClocksDiffer(t *testing.T) {
	for ahead, warned := range map[time.Duration]int{2 * time.Hour: 1, -2 * time.Hour: 1, time.Second: 0, 0: 0} {
		var out strings.Builder
		d := newDesk(0)
		d.ahead = ahead
		require.NoError(t, at(t, d, Config{Logger: slog.New(slog.NewTextHandler(&out, nil))}, work(finish), func(*Worker) {
			time.Sleep(10 * beatEvery) // of the synthetic clock
			synctest.Wait()
		}))
		require.Equal(t, warned, strings.Count(out.String(), "the clocks of this machine and of the database differ"), "%s: %s", ahead, out.String())
		if warned > 0 {
			require.Contains(t, out.String(), "database_ahead="+ahead.String())
		}
	}
}
