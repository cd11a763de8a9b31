package modeltest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/state"
)

// TestBranches_AgreeWithTheModelCallByCall runs graphs that each have steps which wait for failures, and races.
func TestBranches_AgreeWithTheModelCallByCall(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	now, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)
	setMaxLost(t, pool, maxLost)
	_, err = direct.New(pool).SetSetting(t.Context(), "kept_results", new(fmt.Sprint(maxKept)))
	require.NoError(t, err)
	prepareSQL(t, pool)
	broken, raced := 0, 0
	rounds(t, 8, 2000, func(t *testing.T, seed uint64, r *rand.Rand) {
		kind := enginetest.Namespaces[r.IntN(len(enginetest.Namespaces))]
		plan := randomTemplate(r, kind.Name, fmt.Sprintf("b%d", seed))
		plan.branch(r)
		s := newSession(t, pool, r, kind, plan, now)
		now = s.run(20 + r.IntN(60))
		for _, m := range s.tasks {
			for _, k := range m.steps {
				if k.state == state.StepCancelled && k.broken {
					broken++
				}
				if k.join == "first" && k.state == state.StepComplete {
					raced++
				}
			}
		}
	})
	t.Logf("%d failures were waited for, and %d steps began with the first result", broken, raced)
	require.Positive(t, broken)
	require.Positive(t, raced)
}
