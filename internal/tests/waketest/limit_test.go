package waketest

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// An exchange takes the place that its own result has freed, and wakes other workers only for places that it does not
// take.
func TestExchange_AnnouncesOnlyPlacesOfALimitThatItLeaves(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	e := direct.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), []byte(`{"namespace": "shop", "name": "pay", "identity_strategy": "always_unique",
		"steps": [{"name": "charge", "limit": "stripe"}]}`))
	require.NoError(t, err)
	setLimit := func(bounds sqlfn.SetLimitParams) {
		t.Helper()
		bounds.Namespace, bounds.Name = "shop", "stripe"
		_, err := e.SetLimit(t.Context(), bounds)
		require.NoError(t, err)
	}
	setLimit(sqlfn.SetLimitParams{Concurrency: new(int32(2))})
	_, err = pool.Exec(t.Context(), "select from tasker.create_tasks('shop', 'pay', array_fill('{}'::jsonb, array[12]))")
	require.NoError(t, err)
	mark(t, pool, channel)

	var held []direct.StepResult
	// exchange completes some of the running steps and claims others. It returns whether others were woken, and how many steps it got.
	exchange := func(complete, claim int, handlers ...string) (woken bool, claimed int) {
		t.Helper()
		channels := heard(t, pool, func() {
			reply, err := e.ExchangeSteps(t.Context(), direct.Exchange{Results: held[:complete], ClaimRequest: direct.ClaimRequest{
				WorkerUUID: uuid.New(), Namespaces: []string{"shop"}, Handlers: handlers, Limit: claim,
			}})
			require.NoError(t, err)
			held = held[complete:]
			for _, c := range reply.Claimed {
				held = append(held, direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}})
			}
			claimed = len(reply.Claimed)
		})
		return len(channels) > 0, claimed
	}
	for _, test := range []struct {
		why             string
		complete, claim int
		handlers        []string
		woken           bool
		claimed         int
		first           func()
	}{
		{why: "a claim without results gives no place back", claim: 10, claimed: 2},
		{why: "the place is taken in the same call", complete: 1, claim: 1, claimed: 1},
		{why: "the call claims nothing", complete: 1, woken: true},
		{why: "the place that was left", claim: 1, claimed: 1},
		{why: "the call takes one of two places", complete: 2, claim: 1, claimed: 1, woken: true},
		{why: "the other one", claim: 1, claimed: 1},
		{why: "the claim is for other handlers", complete: 1, claim: 1, handlers: []string{"work"}, woken: true},
		{why: "the place that was left", claim: 1, claimed: 1},
		{
			why: "with a rate, others have to learn when the next start is due", complete: 1, claim: 1, claimed: 1, woken: true,
			first: func() { setLimit(sqlfn.SetLimitParams{Concurrency: new(int32(2)), Rate: new(int32(1_000_000))}) },
		},
		{
			why: "no step waits", complete: 2, claim: 1,
			first: func() {
				setLimit(sqlfn.SetLimitParams{Concurrency: new(int32(10))})
				_, _ = exchange(0, 10)
				require.Len(t, held, 6)
				_, _ = exchange(1, 0)
			},
		},
	} {
		if test.first != nil {
			test.first()
		}
		woken, claimed := exchange(test.complete, test.claim, test.handlers...)
		require.Equal(t, test.claimed, claimed, test.why)
		require.Equal(t, test.woken, woken, test.why)
	}

	// An exchange that announces nothing does not silence the next exchange of its transaction.
	setLimit(sqlfn.SetLimitParams{Concurrency: new(int32(3))})
	_, err = pool.Exec(t.Context(), "select from tasker.create_tasks('shop', 'pay', array_fill('{}'::jsonb, array[5]))")
	require.NoError(t, err)
	_, _ = exchange(0, 1)
	require.Len(t, held, 3)
	woken, claimed := exchange(1, 1)
	require.Equal(t, 1, claimed)
	require.False(t, woken, "an exchange that takes the place of its own result announces nothing")
	require.NotEmpty(t, heard(t, pool, func() {
		tx, err := pool.Begin(t.Context())
		require.NoError(t, err)
		inTx := direct.New(tx)
		reply, err := inTx.ExchangeSteps(t.Context(), direct.Exchange{Results: held[:1], ClaimRequest: direct.ClaimRequest{
			WorkerUUID: uuid.New(), Namespaces: []string{"shop"}, Limit: 1,
		}})
		require.NoError(t, err)
		require.Len(t, reply.Claimed, 1)
		_, err = inTx.ExchangeSteps(t.Context(), direct.Exchange{Results: held[1:2], ClaimRequest: direct.ClaimRequest{WorkerUUID: uuid.New()}})
		require.NoError(t, err)
		require.NoError(t, tx.Commit(t.Context()))
	}), "the second exchange leaves a place")
}
