package modeltest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

// TestTrees_AgreeWithTheModelCallByCall runs a task whose steps are handlers, maps, waits and tasks of two more levels.
// Workers, time and operators make calls on it and on the tasks below it, one after another. After each call every task, every
// step and instance, and every note must be as in the model.
func TestTrees_AgreeWithTheModelCallByCall(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	now, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)

	seen := map[string]int{}
	rounds(t, 8, 2000, func(t *testing.T, seed uint64, r *rand.Rand) {
		g := &grove{
			T: t, tree: &tree{now: now}, pool: pool, e: direct.New(pool), r: r, worker: uuid.New(), seen: seen,
			namespace: enginetest.Namespaces[r.IntN(2)].Name, name: fmt.Sprintf("tree%d", seed),
		}
		defer func() {
			now = g.now
			if t.Failed() {
				for _, line := range g.story {
					t.Log(line)
				}
			}
		}()
		g.create(g.plant(2, false))
		for range 40 + r.IntN(50) {
			g.act()
		}
		g.drain()
	})
	replaytest.Recorded(t, pool)
	t.Logf("ends of steps: %v", seen)
	for _, kind := range []string{"map complete", "map error", "instance cancelled", "task complete", "wait complete"} {
		// A single seed, given by PGTASKER_SEED, may not reach every kind.
		require.True(t, seen[kind] > 0 || os.Getenv("PGTASKER_SEED") != "", "no seed reaches %s", kind)
	}
}

// grove is one round, with the engine and the model side by side.
type grove struct {
	*testing.T
	*tree
	pool            *pgxpool.Pool
	e               *direct.Executor
	r               *rand.Rand
	worker          uuid.UUID
	namespace, name string
	held            []treeClaim
	story           []string
	seen            map[string]int
	keyed           bool // tasks run by key
}

func (g *grove) say(format string, args ...any) {
	g.story = append(g.story, fmt.Sprintf(format, args...))
}
