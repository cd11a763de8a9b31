package executor_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// firstCalls returns how long the first creation, claim and result of a new connection take together.
func firstCalls(t *testing.T, pool *pgxpool.Pool, warm bool) time.Duration {
	t.Helper()
	conn, err := pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	if warm {
		is, err := direct.New(conn).WarmSession(t.Context())
		require.NoError(t, err)
		require.True(t, is)
	}
	e, worker := direct.New(conn), uuid.New()
	began := time.Now()
	_, err = e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "one"})
	require.NoError(t, err)
	claim := direct.ClaimRequest{WorkerUUID: worker, Namespaces: []string{"shop"}, Limit: 1, Lease: time.Minute}
	claimed, err := e.ExchangeSteps(t.Context(), direct.Exchange{ClaimRequest: claim})
	require.NoError(t, err)
	require.Len(t, claimed.Claimed, 1)
	done, err := e.ExchangeSteps(t.Context(), direct.Exchange{ClaimRequest: claim, Results: []direct.StepResult{{
		StepClaim: direct.StepClaim{StepUUID: claimed.Claimed[0].StepUUID, ClaimNo: claimed.Claimed[0].ClaimNo},
		Results:   json.RawMessage(`{}`),
	}}})
	require.NoError(t, err)
	require.EqualValues(t, "completed", done.Answers[0].Answer)
	return time.Since(began)
}

// The first calls of a session build about a hundred plans. The median of several connections shows that, whatever else
// runs on the machine.
func TestWarm_MakesPlansBeforeTheFirstCalls(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(
		`{"namespace": "shop", "name": "one", "identity_strategy": "always_unique", "steps": [{"name": "work"}]}`))
	require.NoError(t, err)
	var cold, warm []time.Duration
	for range 7 {
		cold = append(cold, firstCalls(t, pool, false))
		warm = append(warm, firstCalls(t, pool, true))
	}
	slices.Sort(cold)
	slices.Sort(warm)
	t.Logf("first calls: cold %s, warm %s (medians of 7)", cold[3], warm[3])
	require.Less(t, warm[3], cold[3])
}
