package worker

import (
	"context"
	"time"

	"github.com/pgtasker/pgtasker/internal/pgerr"
)

const (
	duties = "periodic duties"
	// firstDuties is the time from a worker's start to its first question for periodic duties. dutiesEvery is the pause between two
	// questions.
	firstDuties = 3 * time.Second
	dutiesEvery = 15 * time.Second
	// maxDuties bounds the number of duties in one turn, so that other workers get their turns.
	maxDuties = 50
)

// doDuties runs the periodic duties of the database when they are due. All workers take turns.
func (r *run) doDuties(ctx context.Context) {
	timer := time.NewTimer(jittered(firstDuties))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		err := r.doDueDuties(ctx)
		if pgerr.Of(err) == pgerr.Judged {
			r.watch.Failed(duties, err)
		}
		every := dutiesEvery
		if err != nil && pgerr.Of(err) != pgerr.Passing {
			every *= 20
		}
		timer.Reset(jittered(every))
	}
}

// doDueDuties does one duty after the other until none is due. A duty that failed is not tried again in the same turn: the database has
// stored the error and the next time of the duty.
func (r *run) doDueDuties(ctx context.Context) error {
	for range maxDuties {
		done := 0
		err := r.once(ctx, duties, func(ctx context.Context) error {
			all, err := r.db.DoDuties(ctx)
			for _, duty := range all {
				if duty.LastError != nil {
					r.log.WarnContext(ctx, "a periodic duty failed", "duty", duty.Duty, "error", *duty.LastError)
				}
			}
			done = len(all)
			return err
		})
		if err != nil || done == 0 || ctx.Err() != nil {
			return err
		}
	}
	return nil
}
