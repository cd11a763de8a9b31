package eventstorm

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// A claim of another namespace touches as many blocks beside steps that wait for an event as beside steps that wait for their
// parents. So the claim reads no row of the waiting steps. A larger crowd only makes indexes higher, in both cases.
func TestClaim_ReadsNothingOfStepsThatWaitInOtherNamespaces(t *testing.T) {
	crowd := pgtest.Number("PGTASKER_STORM_CROWD", 1000)
	beside := map[string]reads{}
	for step, waits := range map[string]int{`"await": {"event": "go"}`: crowd, `"dependencies": ["other"]`: 0} {
		s := newStorm(t, false, `{"namespace": "storm", "name": "crowd", "identity_strategy": "always_unique", "steps": [
			{"name": "other"}, {"name": "second", `+step+`}]}`)
		for made := 0; made < crowd; made += 1000 {
			s.exec(fmt.Sprintf("select count(*) from tasker.create_tasks('storm', 'crowd', array_fill('{}'::jsonb, array[%d]))", min(1000, crowd-made)))
		}
		for s.count("select count(*) from tasker.timers") > 0 {
			_, err := executor.New(s.pool).FireDueTimers(t.Context(), 1000)
			require.NoError(t, err)
		}
		require.Equal(t, waits, s.count("select count(*) from tasker.waits"))
		s.exec("select count(*) from tasker.create_tasks('plain', 'plain', array_fill('{}'::jsonb, array[20]))")
		s.exec("vacuum analyze")
		beside[step] = s.claimReads()
		t.Logf("a claim touches %d blocks beside %d tasks with a step with %s", beside[step].sum(), crowd, step)
	}
	waiting, others := beside[`"await": {"event": "go"}`], beside[`"dependencies": ["other"]`]
	require.Empty(t, waiting.beyond(others))
	waiting.requireNoneOfWaits(t)
}
