package executor_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

func TestErrors_AreTheirKindAndThePostgreSQLErrorAtOnce(t *testing.T) {
	t.Parallel()
	e := direct.New(pgtest.New(t))
	unknown := executor.NewTaskUUID()

	_, err := e.GetCurrentTaskState(t.Context(), unknown)
	require.ErrorIs(t, err, executor.ErrNotFound)
	require.NotErrorIs(t, err, executor.ErrConflict)

	var pgErr *pgconn.PgError
	require.ErrorAs(t, err, &pgErr)
	require.Equal(t, "TK404", pgErr.Code)
	require.Contains(t, err.Error(), "task "+unknown.String()+" does not exist")
	require.Contains(t, err.Error(), pgErr.Hint)
}

func TestErrors_OfEachKindComeFromTheDatabase(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := direct.New(pool)
	task, top := startTask(t, pool)
	foreign, _ := startTask(t, pool)

	for name, try := range map[string]struct {
		want error
		call func() error
	}{
		"an absent step": {executor.ErrNotFound, func() error {
			_, err := e.GetCurrentStepState(t.Context(), uuid.New())
			return err
		}},
		"a transition that never is allowed": {executor.ErrConflict, func() error {
			_, err := e.TransitionTaskStateAtomic(t.Context(), direct.TaskMove{
				TaskUUID: task, From: state.TaskComplete, To: state.TaskCancelled,
			})
			return err
		}},
		"an unknown state": {executor.ErrInvalid, func() error {
			_, err := e.TaskStateIsTerminal(t.Context(), "asleep")
			return err
		}},
		"a task UUID of another version": {executor.ErrInvalid, func() error {
			_, err := e.CheckTaskUUID(t.Context(), uuid.New())
			return err
		}},
		"results over the limit": {executor.ErrTooLarge, func() error {
			one := "1"
			if _, err := e.SetSetting(t.Context(), "result_bytes", &one); err != nil {
				return err
			}
			defer func() {
				_, err := e.SetSetting(t.Context(), "result_bytes", nil)
				require.NoError(t, err)
			}()
			_, err := e.TransitionStepStateAtomic(t.Context(), direct.StepMove{
				StepUUID: top, From: state.StepEnqueued, To: state.StepInProgress, Metadata: []byte(`{"a": 1}`),
			})
			return err
		}},
		"steps of two tasks": {executor.ErrInvalid, func() error {
			_, err := e.DetectCycle(t.Context(), top, step(t, pool, foreign, "top"))
			return err
		}},
		"a changed log row": {executor.ErrForbidden, func() error {
			_, err := pool.Exec(t.Context(), "update tasker.task_log set reason = 'forged'")
			return executor.Translate(err)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, try.call(), try.want)
		})
	}
}

func TestErrors_CatalogueHoldsEveryCodeOfTheSchemaAndOfGo(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile(`TK\d{3}`)
	find := func(text string) []string {
		found := code.FindAllString(text, -1)
		slices.Sort(found)
		return slices.Compact(found)
	}

	var schema strings.Builder
	require.NoError(t, filepath.WalkDir("../db/schema", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		schema.Write(text)
		return err
	}))
	source, err := os.ReadFile("errors.go")
	require.NoError(t, err)
	catalogue, err := os.ReadFile("../docs/errors.md")
	require.NoError(t, err)

	require.NotEmpty(t, find(schema.String()))
	require.Equal(t, find(schema.String()), find(string(source)), "db/schema and executor/errors.go")
	require.Equal(t, find(schema.String()), find(string(catalogue)), "db/schema and docs/errors.md")
}

func TestErrors_ThatAreNotOfPgtaskerStayTheSame(t *testing.T) {
	t.Parallel()
	plain := errors.New("no connection")
	require.Equal(t, plain, executor.Translate(plain))
	division := &pgconn.PgError{Code: "22012"}
	require.Equal(t, error(division), executor.Translate(division))
	require.NoError(t, executor.Translate(nil))
}
