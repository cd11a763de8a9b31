package worker

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
)

func TestExtend_MovesTheDeadlineOfAnAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := &entry{timeout: time.Hour}
		ctx, _, cancel := e.within(t.Context(), gen.ClaimedStep{TimeoutSeconds: new(int32(10))})
		defer cancel()
		step := &Step{ctx: ctx}
		child, stop := context.WithTimeout(ctx, time.Hour)
		defer stop()
		began := time.Now()
		at := func(d time.Duration) { time.Sleep(time.Until(began.Add(d))); synctest.Wait() }

		at(8 * time.Second)
		require.NoError(t, step.Extend(7*time.Second))
		require.NoError(t, step.Extend(time.Second), "a shorter time changes nothing")
		deadline, _ := child.Deadline()
		require.Equal(t, 15*time.Second, deadline.Sub(began).Round(time.Second), "a child context that was made later has the new deadline")
		at(14 * time.Second)
		require.NoError(t, ctx.Err())
		require.NoError(t, child.Err())

		at(15 * time.Second)
		require.ErrorIs(t, ctx.Err(), context.DeadlineExceeded)
		require.ErrorIs(t, child.Err(), context.DeadlineExceeded, "a child context ends in the same way")
		require.ErrorIs(t, context.Cause(ctx), context.DeadlineExceeded)
		require.ErrorIs(t, step.Extend(time.Hour), context.DeadlineExceeded, "an attempt that has ended is not extended")
	})
}

func TestExtend_IsRefusedAfterTheRunHasEnded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lost := errors.New("the lease was lost")
		parent, lose := context.WithCancelCause(t.Context())
		ctx, _, cancel := (&entry{timeout: time.Minute}).within(parent, gen.ClaimedStep{})
		defer cancel()
		require.NoError(t, (&Step{ctx: ctx}).Extend(time.Hour))
		lose(lost)
		synctest.Wait()
		require.ErrorIs(t, (&Step{ctx: ctx}).Extend(time.Hour), lost)
		require.ErrorIs(t, ctx.Err(), context.Canceled)
		<-ctx.Done()
	})
}

func TestExtend_NeedsNoTimeout(t *testing.T) {
	t.Parallel()
	ctx, _, cancel := (&entry{}).within(t.Context(), gen.ClaimedStep{})
	defer cancel()
	require.NoError(t, (&Step{ctx: ctx}).Extend(time.Hour))
	_, bounded := ctx.Deadline()
	require.False(t, bounded)
}
