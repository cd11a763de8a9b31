package worker

import (
	"context"
	"time"
)

// pollBy makes the loop poll at t, unless it polls earlier.
func (l *loop) pollBy(t time.Time) {
	if t.Before(l.pollAt) {
		l.pollAt = t
	}
}

// askWhenDue asks when the next work is due, so that the loop sleeps until then.
func (l *loop) askWhenDue() {
	l.asked = true
	l.start(func(s *slot) reply {
		var due, later *time.Time
		err := l.once(s.calls, "querying when something is due", func(ctx context.Context) (err error) {
			due, err = l.db.NextDueAt(ctx, l.config.Namespaces, false)
			if err == nil && due != nil && !l.offset.local(*due).After(time.Now()) {
				later, err = l.db.NextLaterAt(ctx, l.config.Namespaces)
			}
			return err
		})
		return reply{take: func(l *loop) {
			if err != nil || due == nil {
				return // the next poll suffices
			}
			now := time.Now()
			at := l.offset.local(*due)
			if at.After(now) {
				l.pollBy(at)
				return
			}
			// The due work is not for this worker: it belongs to other handlers, or another session has locked it. Work that is due later
			// may be for this worker.
			l.pollBy(now.Add(l.fruitless))
			if later != nil && l.offset.local(*later).After(now) {
				l.pollBy(l.offset.local(*later))
			}
			l.fruitless = min(max(firstFruitless, 2*l.fruitless), l.config.PollInterval)
		}}
	})
}
