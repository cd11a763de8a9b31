package main

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestRun_DecidesClaims(t *testing.T) {
	t.Parallel()
	var said strings.Builder
	require.NoError(t, run(t.Context(), pgtest.New(t), &said))
	require.Equal(t, `claim 1: paid 45000 cents, by rule
claim 2: paid 125000 cents, by inspector
`, said.String())
}

// How a project would test its workflow: in a transaction, without a running worker.
func TestClaim_ThatNothingExplainsIsArchivedUnpaid(t *testing.T) {
	t.Parallel()
	tx, err := pgtest.New(t).Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(t.Context()))) }()

	report := workertest.RunWorkflow(t, tx, claim, Claim{Number: 3, Cents: 900_000}, workflow.StartOptions{Key: "claim 3"})
	require.Equal(t, state.TaskBlockedByFailures, report.State)
	require.Equal(t, []string{"assess", "investigate", "investigate"}, report.Order)
	_, err = pay.Result(t.Context(), tx, report.Handle)
	require.ErrorContains(t, err, `"investigate" failed: nothing explains 9000 euros`)
	require.Equal(t, workflow.Maybe[string]{}, workertest.ResultOf(t, report, workflow.Optional(archive)))
}

// A step's function is a function.
func TestPayOut_TakesTheBranchThatWasTaken(t *testing.T) {
	t.Parallel()
	said, err := payOut(t.Context(), &workflow.Job[Claim]{},
		workflow.Maybe[Decision]{}, workflow.Maybe[Decision]{OK: true, Value: Decision{By: "inspector", Cents: 5}})
	require.NoError(t, err)
	require.Equal(t, "5 cents, by inspector", said)
}
