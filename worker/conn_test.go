package worker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
)

// announce notifies the worker at d, after a while, that process pid has made steps ready.
func (d *desk) announce(pid uint32, after time.Duration) {
	time.AfterFunc(after, func() { d.run.ear.hear(&pgconn.Notification{PID: pid}) })
}

// chain makes the desk offer one step after the other: the result of a step makes the next one ready, and the process
// that took the result announces it after a delay.
func (d *desk) chain(steps int, after time.Duration) {
	d.ready, d.takes = []uuid.UUID{uuid.New()}, time.Millisecond
	d.before = func(exchange direct.Exchange) error {
		if len(exchange.Results) > 0 && steps > 1 {
			steps--
			d.ready = append(d.ready, uuid.New())
		}
		return nil
	}
	d.told = func(pid uint32, exchange direct.Exchange) {
		if len(exchange.Results) > 0 {
			d.announce(pid, after)
		}
	}
}

func TestLine_AWorkersOwnAnnouncementCausesNoExchange(t *testing.T) {
	t.Parallel()
	// The announcement comes before the reply, during the next exchange, and when the worker has nothing to do.
	for _, after := range []time.Duration{0, 200 * time.Microsecond, 30 * time.Millisecond} {
		d := newDesk(0)
		d.chain(5, after)
		require.NoError(t, at(t, d, Config{PollInterval: time.Hour}, work(finish), func(*Worker) { time.Sleep(time.Minute) }))
		require.Equal(t, []string{"0+1", "1+1", "1+1", "1+1", "1+1", "1+0"}, d.sizes, "announced after %s", after)
	}
}

func TestLine_AnAnnouncementOnAReturnedConnectionCausesAClaim(t *testing.T) {
	t.Parallel()
	d := newDesk(1)
	d.scarce = true
	require.NoError(t, at(t, d, Config{PollInterval: time.Hour}, work(finish), func(w *Worker) {
		time.Sleep(time.Millisecond)
		d.change(func() { d.ready = append(d.ready, uuid.New()) })
		d.announce(1, 0)
		time.Sleep(time.Minute)
		require.EqualValues(t, 2, w.Stats().Completed)
	}))
}

func TestLine_IsGivenBackWhenIdleAndWhenConnectionsAreScarce(t *testing.T) {
	t.Parallel()
	for _, scarce := range []bool{false, true} {
		d := newDesk(1)
		d.scarce = scarce
		require.NoError(t, at(t, d, Config{PollInterval: time.Hour}, work(finish), func(*Worker) {
			time.Sleep(keepLine / 2)
			d.change(func() { require.Equal(t, !scarce, len(d.lines) == 1, "%v", d.lines) })
			time.Sleep(keepLine)
			d.change(func() { require.Empty(t, d.lines) })
			d.change(func() { d.ready = append(d.ready, uuid.New()) })
			d.announce(99, 0)
			time.Sleep(keepLine / 2)
		}))
		require.Empty(t, d.lines, "a worker that stops gives the line back")
	}
}

// TestLine_NoWakeUpIsLost makes steps ready by results and by other sessions, some of which have a line before or after,
// and announces each step only once, some time later. Only announcements wake the worker: a lost one would leave a step
// in the queue.
func TestLine_NoWakeUpIsLost(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		random := rand.New(rand.NewPCG(seed, 0))
		d := newDesk(0)
		names, children := map[uuid.UUID]string{}, map[uuid.UUID]int{}
		handlers := []string{"work", "narrow", "third"}
		enqueue := func(n int) { // under the desk's lock
			step := uuid.New()
			names[step], children[step] = handlers[random.IntN(len(handlers))], n
			d.ready = append(d.ready, step)
		}
		soon := func() time.Duration { return time.Duration(random.IntN(3000)) * time.Microsecond }
		d.handler = func(step uuid.UUID) string { return names[step] }
		made := false
		d.before = func(exchange direct.Exchange) error {
			made = false
			for _, result := range exchange.Results {
				if !d.held[result.StepUUID] {
					continue
				}
				for range children[result.StepUUID] {
					enqueue(random.IntN(3) / 2)
					made = true
				}
			}
			return nil
		}
		d.after = func(direct.Exchange) error {
			if made {
				d.announce(d.pid, soon())
			}
			return nil
		}
		d.takes = soon()
		d.scarce = random.IntN(4) == 0
		config := Config{Concurrency: 1 + random.IntN(5), PollInterval: 1000 * time.Hour}
		config.Exchanges = 1 + random.IntN(min(3, config.Concurrency))
		handle := func(context.Context, *Job[nothing]) (nothing, error) {
			var d2 time.Duration
			d.change(func() { d2 = soon() })
			time.Sleep(d2)
			return nothing{}, nil
		}
		err := at(t, d, config, func(w *Worker) {
			Handle(w, "work", handle)
			Handle(w, "narrow", handle, MaxRunning(1))
			Handle(w, "third", handle, MaxRunning(2))
		}, func(*Worker) {
			for range 60 {
				var pause time.Duration
				d.change(func() {
					enqueue(random.IntN(3))
					// The session has a connection that the worker does not have.
					pid := uint32(99)
					for other := range uint32(4) {
						if !d.lines[other] && random.IntN(2) == 0 {
							pid = other
						}
					}
					d.announce(pid, soon())
					pause = soon() * time.Duration(random.IntN(40))
				})
				time.Sleep(pause)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			d.change(func() { require.Empty(t, d.ready, "seed %d", seed) })
		})
		require.NoError(t, err, "seed %d", seed)
		require.Empty(t, d.held, "seed %d", seed)
		require.Len(t, d.results, len(names), fmt.Sprint("seed ", seed))
	}
}

func TestLine_GroupsThatAClaimLeftOutAreClaimedNext(t *testing.T) {
	t.Parallel()
	w := &Worker{config: Config{}.withDefaults(nil), uuids: []uuid.UUID{uuid.New(), uuid.New()}, entries: map[string]*entry{}}
	Handle(w, "work", finish)
	Handle(w, "narrow", finish, MaxRunning(1))
	d := newDesk(0)
	r := makeRun(t.Context(), w, w.wrapped(), d, d.open)
	t.Cleanup(func() { r.cancel(nil); r.abandon() })
	l := newLoop(r)
	narrow, common := l.groupOf["narrow"], l.groupOf["work"]
	l.ear.lines[7] = l.slots[1]
	for _, c := range []struct {
		claimed []*group
		heard   *pgconn.Notification
		want    []bool // narrow, common
	}{
		{[]*group{narrow, common}, &pgconn.Notification{PID: 7}, []bool{false, false}},
		{[]*group{common}, &pgconn.Notification{PID: 7}, []bool{true, false}},
		{nil, &pgconn.Notification{PID: 7}, []bool{true, true}},
		{[]*group{narrow, common}, &pgconn.Notification{PID: 8}, []bool{true, true}},
		{[]*group{narrow, common}, nil, []bool{true, true}},
	} {
		narrow.ready, common.ready = false, false
		l.slots[1].groups = c.claimed
		l.ear.hear(c.heard)
		l.listened()
		require.Equal(t, c.want, []bool{narrow.ready, common.ready}, "%+v", c)
	}
}
