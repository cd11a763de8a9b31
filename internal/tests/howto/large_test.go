package howto_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
)

// Reference is a value of the store. A result carries it instead of the value.
type Reference struct {
	URL    string `json:"url"`
	SHA256 string `json:"sha256"`
	Size   int    `json:"size"`
}

// Store keeps values in a directory for each task.
type Store struct{ Dir string }

// Put stores a value. A handler that runs again stores the same file again.
func (s Store) Put(task uuid.UUID, value []byte) (Reference, error) {
	sum := sha256.Sum256(value)
	ref := Reference{URL: "file:" + task.String() + "/" + hex.EncodeToString(sum[:]), SHA256: hex.EncodeToString(sum[:]), Size: len(value)}
	path := s.path(ref)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return Reference{}, err
	}
	if err := os.WriteFile(path+".new", value, 0o600); err != nil {
		return Reference{}, err
	}
	return ref, os.Rename(path+".new", path)
}

// Get reads a value, and refuses a value that is not the one that was stored.
func (s Store) Get(ref Reference) ([]byte, error) {
	value, err := os.ReadFile(s.path(ref))
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(value); len(value) != ref.Size || hex.EncodeToString(sum[:]) != ref.SHA256 {
		return nil, worker.Permanent(fmt.Errorf("%s is not the value that was stored", ref.URL))
	}
	return value, nil
}

func (s Store) path(ref Reference) string {
	return filepath.Join(s.Dir, filepath.FromSlash(filepath.Clean("/"+strings.TrimPrefix(ref.URL, "file:"))))
}

// Sweep deletes the values of tasks that were erased or dropped, and returns how many tasks that were.
func (s Store) Sweep(ctx context.Context, db *executor.SqlFunctionExecutor) (swept int, err error) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return 0, err
	}
	for _, entry := range entries {
		task, err := uuid.Parse(entry.Name())
		if err != nil {
			continue
		}
		switch found, err := db.GetTask(ctx, task); {
		case err == nil && found.ErasedAt == nil:
			continue
		case err != nil && !errors.Is(err, executor.ErrNotFound):
			return swept, err
		}
		if err := os.RemoveAll(filepath.Join(s.Dir, entry.Name())); err != nil {
			return swept, err
		}
		swept++
	}
	return swept, nil
}

// docs/howto/large-values.md
func TestLarge_AStoreOfReferences(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	store := Store{Dir: t.TempDir()}
	task := create(t, pool, `[{"name": "render"}, {"name": "send", "dependencies": ["render"], "retry": {"retryable": false}}]`, `{}`)
	w, err := worker.New(pool, worker.Config{})
	require.NoError(t, err)
	worker.Handle(w, "render", func(_ context.Context, job *worker.Job[struct{}]) (Reference, error) {
		return store.Put(job.TaskUUID, []byte(strings.Repeat("a page ", 1<<18)))
	})
	worker.Handle(w, "send", func(_ context.Context, job *worker.Job[struct{}]) (int, error) {
		ref, err := worker.Result[Reference](job, "render")
		if err != nil {
			return 0, err
		}
		page, err := store.Get(ref)
		return len(page), err
	})
	running(t, w)
	require.Equal(t, "complete", outcome(t, pool, task))

	// A value that was changed is refused.
	files, err := filepath.Glob(filepath.Join(store.Dir, task.String(), "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	ref := Reference{URL: "file:" + task.String() + "/" + filepath.Base(files[0]), SHA256: filepath.Base(files[0]), Size: 7 << 18}
	_, err = store.Get(ref)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files[0], []byte("another page"), 0o600))
	_, err = store.Get(ref)
	require.ErrorContains(t, err, "is not the value that was stored")

	// Values stay as long as their task.
	swept, err := store.Sweep(t.Context(), e)
	require.NoError(t, err)
	require.Zero(t, swept)
	_, err = store.Put(executor.NewTaskUUID(), []byte("of a task that retention has dropped"))
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), "select tasker.erase_task($1, 'request 17')", task)
	require.NoError(t, err)
	swept, err = store.Sweep(t.Context(), e)
	require.NoError(t, err)
	require.Equal(t, 2, swept)
	entries, err := os.ReadDir(store.Dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// docs/howto/large-values.md: a result that is too large costs one attempt, and the step waits for a person.
func TestLarge_AResultThatIsTooLargeWaitsForAPerson(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	_, err := pool.Exec(t.Context(), "select tasker.set_setting('result_bytes', '1024')")
	require.NoError(t, err)
	w, err := worker.New(pool, worker.Config{})
	require.NoError(t, err)
	small := make(chan struct{})
	worker.Handle(w, "render", func(context.Context, *worker.Job[struct{}]) (string, error) {
		select {
		case <-small:
			return "a page", nil
		default:
			return strings.Repeat("a page ", 1000), nil
		}
	})
	running(t, w)

	byHand := create(t, pool, `[{"name": "render"}]`, `{"n": 1}`)
	require.Equal(t, "blocked_by_failures", blocked(t, pool, byHand))
	again := create(t, pool, `[{"name": "render"}]`, `{"n": 2}`)
	require.Equal(t, "blocked_by_failures", blocked(t, pool, again))
	for _, task := range []uuid.UUID{byHand, again} {
		var attempts int
		var text string
		require.NoError(t, pool.QueryRow(t.Context(), "select s.attempts, s.last_error from tasker.workflow_steps as s where s.task_uuid = $1", task).Scan(&attempts, &text))
		require.Equal(t, 1, attempts, "the result is not computed again")
		require.Contains(t, text, `the result of 7002 bytes is over the setting "result_bytes"`)
	}

	// Another result, by hand.
	_, err = e.CompleteStepManually(t.Context(), sqlfn.CompleteStepManuallyParams{
		StepUUID: onlyStep(t, pool, byHand), Results: json.RawMessage(`{"url": "file:page"}`), Reason: "too large", Actor: "ann",
	})
	require.NoError(t, err)
	require.Equal(t, "complete", outcome(t, pool, byHand))
	// A smaller result, by a corrected handler.
	close(small)
	_, err = e.RetryStep(t.Context(), onlyStep(t, pool, again), "the handler returns less", "ann")
	require.NoError(t, err)
	require.Equal(t, "complete", outcome(t, pool, again))
}

func onlyStep(t *testing.T, pool *pgxpool.Pool, task uuid.UUID) (step uuid.UUID) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), "select tasker.step_uuid($1, 1)", task).Scan(&step))
	return step
}

// blocked waits until a task waits for a person, and returns its state.
func blocked(t *testing.T, pool *pgxpool.Pool, task uuid.UUID) string {
	t.Helper()
	ended, err := executor.NewClient(pool).Tasks().Wait(t.Context(), task, executor.WaitOptions{})
	if !errors.As(err, new(*executor.TaskError)) {
		require.NoError(t, err)
	}
	return string(ended.State)
}
