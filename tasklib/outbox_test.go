package tasklib

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/tasklib/gen"
)

func reportOf(size int) report {
	return report{id: uuid.New(), claimNo: 1, result: json.RawMessage(strings.Repeat("x", size))}
}

// TestOutbox_ACallCarriesSomeMiB takes eleven large reports, and one that is larger than a call.
func TestOutbox_ACallCarriesSomeMiB(t *testing.T) {
	t.Parallel()
	o := newOutbox()
	o.put(reportOf(maxCall + 1))
	for range 11 {
		o.put(reportOf(3 << 20))
	}
	var taken []int
	for {
		batch, _, _ := o.take(time.Now())
		if len(batch) == 0 {
			break
		}
		taken = append(taken, len(batch))
		o.settle(batch)
	}
	require.Equal(t, []int{1, 2, 2, 2, 2, 2, 1}, taken)
}

func TestOutbox_AClientThatOwesMuchClaimsNothing(t *testing.T) {
	t.Parallel()
	o := newOutbox()
	for range 8 {
		require.True(t, o.mayClaim())
		o.put(reportOf(maxOwed / 8))
	}
	require.False(t, o.mayClaim(), "some bytes more than it may owe")
	batch, _, _ := o.take(time.Now())
	require.Len(t, batch, 1)
	require.False(t, o.mayClaim(), "what is on its way is owed, too")
	o.settle(batch)
	require.True(t, o.mayClaim())
}

func TestFinish_ALargeResultIsWarnedOfAndATooLargeOneNotSent(t *testing.T) {
	t.Parallel()
	for size, c := range map[int]struct {
		warns bool
		says  string
	}{
		maxResult / 2:   {false, ""},
		maxResult/2 + 1: {true, ""},
		maxResult + 1:   {false, `is over the setting "result_bytes"`},
	} {
		log := &bytes.Buffer{}
		w := NewClient(nil, Config{Logger: slog.New(slog.NewTextHandler(log, nil))}).NewWorker(WorkerConfig{})
		w.lock = time.Minute
		h := w.hold(t.Context(), gen.ClaimedTask{ID: uuid.New(), Name: "work"})
		w.finish(t.Context(), h.held, json.RawMessage(strings.Repeat("x", size)), nil)
		batch, _, _ := w.outbox.take(time.Now())
		require.Len(t, batch, 1)
		require.Equal(t, c.warns, strings.Contains(log.String(), "a result is large; keep it elsewhere"), "%d bytes", size)
		require.Contains(t, batch[0].text, c.says)
		require.Equal(t, c.says != "", batch[0].permanent)
		require.Equal(t, c.says == "", len(batch[0].result) == size)
	}
}

// TestExpiring_HasOneClaimOfATask has the report of an earlier claim on its way when the task is claimed again, and runs.
func TestExpiring_HasOneClaimOfATask(t *testing.T) {
	t.Parallel()
	w := NewClient(nil, Config{}).NewWorker(WorkerConfig{})
	w.lock = time.Minute
	first := report{id: uuid.New(), claimNo: 1}
	w.outbox.put(first)
	later := time.Now().Add(time.Hour)
	expiring := func() []int32 {
		_, claimNos := w.expiring(later)
		return claimNos
	}
	require.Equal(t, []int32{1}, expiring())
	h := w.hold(t.Context(), gen.ClaimedTask{ID: first.id, ClaimNo: 2})
	require.Equal(t, []int32{2}, expiring(), "the lock of the run")
	second := report{id: first.id, claimNo: 2}
	w.outbox.put(second)
	require.Equal(t, []int32{2}, expiring(), "its report is owed, and it is still held")
	w.letGo(h.held)
	require.Equal(t, []int32{2}, expiring())
	w.outbox.settle([]report{first})
	require.Equal(t, []int32{2}, expiring(), "the second report is still owed")
	w.outbox.settle([]report{second})
	require.Empty(t, expiring())
}
