package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

// stormSize returns the number of tasks, and of processes that are killed.
func stormSize(t *testing.T) (tasks, kills int) {
	t.Helper()
	number := func(name string, otherwise int) int {
		if text := os.Getenv(name); text != "" {
			n, err := strconv.Atoi(text)
			require.NoError(t, err)
			return n
		}
		return otherwise
	}
	return number("PGTASKER_STORM_TASKS", 40), number("PGTASKER_STORM_KILLS", 4)
}

func TestStorm_PythonWorkersThatAreKilledLoseNothing(t *testing.T) {
	t.Parallel()
	storm(t, python(t))
}

func TestStorm_TypeScriptWorkersThatAreKilledLoseNothing(t *testing.T) {
	t.Parallel()
	storm(t, typescript(t))
}

func TestStorm_PythonWorkersOverSQLThatAreKilledLoseNothing(t *testing.T) {
	t.Parallel()
	storm(t, connected(python(t)))
}

func TestStorm_TypeScriptWorkersOverSQLThatAreKilledLoseNothing(t *testing.T) {
	t.Parallel()
	storm(t, connected(typescript(t)))
}

// storm has three processes run tasks. Half of the tasks consist of a durable function with three rounds. While the tasks run,
// answers are lost, and one process after another is killed with SIGKILL. Workers over SQL lose answers because all their
// sessions are ended at the same moment.
func storm(t *testing.T, w Worker) {
	tasks, kills := stormSize(t)
	s := newSite(t)
	often := "10000"
	_, err := s.e.SetSetting(t.Context(), "max_lost", &often)
	require.NoError(t, err)
	s.register(t, "diamond", `[{"name": "top", "handler": "echo"}, {"name": "left", "handler": "join", "dependencies": ["top"]},
		{"name": "right", "handler": "echo", "dependencies": ["top"]}, {"name": "bottom", "handler": "join", "dependencies": ["left", "right"]}]`)
	s.register(t, "rounds", `[{"name": "rounds"}]`)
	w.Env = append(w.Env, "PGAPPNAME=pgtasker")
	fleet := make([]*process, 3)
	for i := range fleet {
		fleet[i] = s.run(t, w, "10")
	}
	s.losing.Store(true)
	var made []uuid.UUID
	for i := range tasks {
		made = append(made, s.another(t, []string{"diamond", "rounds"}[i%2], fmt.Sprintf(`{"n": %d}`, i)))
	}
	for kill := range kills {
		// Each kill comes when more tasks have ended than at the preceding kill.
		s.awaitEnded(t, tasks*kill/(kills+1))
		time.Sleep(rand.N(100 * time.Millisecond))
		if w.SQL {
			s.lost.Add(int64(s.endSessions(t)))
		}
		fleet[kill%len(fleet)].kill()
		fleet[kill%len(fleet)] = s.run(t, w, "10")
	}
	s.awaitEnded(t, tasks)
	s.losing.Store(false)
	for _, p := range fleet {
		p.stop(t)
	}

	for i, task := range made {
		if i%2 == 0 {
			require.JSONEq(t, fmt.Sprintf(`{"left": {"top": {"n": %d}}, "right": {"n": %d}}`, i, i), s.result(t, task, "bottom"))
			continue
		}
		// A round may count twice if the answer to continue was lost. Even so, each round has its own keys.
		var result struct {
			N    int         `json:"n"`
			Keys []uuid.UUID `json:"keys"`
		}
		step := s.step(t, task, "rounds")
		require.NoError(t, json.Unmarshal(step.Results, &result))
		require.Equal(t, 3, result.N)
		require.Len(t, slices.Compact(slices.SortedFunc(slices.Values(result.Keys), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })), 3)
		require.Equal(t, key(step.WorkflowStepUUID, "key/1"), result.Keys[0])
	}
	findings, err := s.e.CheckIntegrity(t.Context(), time.Time{}, time.Time{}, 0)
	require.NoError(t, err)
	require.Empty(t, findings)
	var results, lost int
	require.NoError(t, s.pool.QueryRow(t.Context(), "select count(*)::int from tasker.workflow_step_result_audit").Scan(&results))
	require.Equal(t, tasks/2*5, results, "each result is recorded once")
	require.NoError(t, s.pool.QueryRow(t.Context(), "select coalesce(sum(lost_count), 0)::int from tasker.workflow_steps").Scan(&lost))
	require.Positive(t, s.lost.Load(), "answers or sessions were lost")
	require.Positive(t, replaytest.Recorded(t, s.pool))
	t.Logf("%d tasks, %d kills, %d lost answers or sessions, %d steps lost their worker", tasks, kills, s.lost.Load(), lost)
}

// endSessions ends the sessions of all workers, and returns the number of sessions.
func (s *site) endSessions(t *testing.T) (ended int) {
	t.Helper()
	require.NoError(t, s.pool.QueryRow(t.Context(), `select count(*) filter (where pg_terminate_backend(a.pid))::integer
		from pg_stat_activity as a where a.datname = current_database() and a.application_name = 'pgtasker'`).Scan(&ended))
	return ended
}

// awaitEnded returns when this number of tasks have ended.
func (s *site) awaitEnded(t *testing.T, tasks int) {
	t.Helper()
	ended := -1
	last := time.Now()
	for ended < tasks {
		before := ended
		require.NoError(t, s.pool.QueryRow(t.Context(), "select count(*)::int from tasker.tasks where complete").Scan(&ended))
		if ended > before {
			last = time.Now()
		}
		require.Less(t, time.Since(last), within, "%d tasks of %d have ended, and no more do", ended, tasks)
		time.Sleep(10 * time.Millisecond)
	}
}
