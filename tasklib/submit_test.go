package tasklib_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
)

func add(_ context.Context, n numbers) (int, error) { return n.A + n.B, nil }

func TestSubmit_BelongsToTheCallersTransaction(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "add", add, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))

	failed := errors.New("the caller's own reason")
	err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		_, err := task.Submit(t.Context(), tx, numbers{1, 2})
		require.NoError(t, err)
		return failed
	})
	require.ErrorIs(t, err, failed)
	require.Equal(t, 0, query[int](t, pool, "select count(*) from tasklib.tasks"))

	require.NoError(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		_, err := task.SubmitMany(t.Context(), tx, []numbers{{1, 2}, {3, 4}})
		return err
	}))
	require.Equal(t, 2, query[int](t, pool, "select count(*) from tasklib.tasks"))
}

func TestSubmit_PassesItsOptionsOn(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	exec(t, pool, "select tasker_test.freeze_tasklib('2026-03-01 12:00+00')")
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "add", add, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))
	options := tasklib.SubmitOptions{
		Delay: 1500 * time.Millisecond, Priority: 7, MaxRetries: tasklib.NoRetries, Timeout: 9 * time.Second,
		Tags: map[string]any{"team": "a"}, DedupKey: "k",
	}

	s, err := task.Submit(t.Context(), pool, numbers{1, 2}, options)
	require.NoError(t, err)
	require.True(t, s.Created)
	again, err := task.Submit(t.Context(), pool, numbers{1, 2}, options)
	require.NoError(t, err)
	require.Equal(t, tasklib.Submission{ID: s.ID, Created: false}, again)

	d, err := client.Functions().GetTask(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, int32(7), d.Priority)
	require.Equal(t, int32(0), d.MaxRetries)
	require.Equal(t, int32(9), *d.TimeoutSeconds)
	require.Equal(t, 1500*time.Millisecond, d.ScheduledAt.Sub(d.CreatedAt))
	require.JSONEq(t, `{"a": 1, "b": 2}`, string(d.Kwargs))
	require.JSONEq(t, `{"team": "a"}`, string(d.Tags))

	options.DedupKey, options.DedupKeys = "", []string{"k", "l"}
	many, err := task.SubmitMany(t.Context(), pool, []numbers{{1, 2}, {3, 4}}, options)
	require.NoError(t, err)
	require.Equal(t, s.ID, many[0].ID)
	require.True(t, many[1].Created)
	d, err = client.Functions().GetTask(t.Context(), many[1].ID)
	require.NoError(t, err)
	require.Equal(t, int32(7), d.Priority)
	require.Equal(t, "l", *d.DedupKey)
}

func TestSubmit_RefusesAnUnknownName(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "add", add, tasklib.Options{})

	_, err := task.Submit(t.Context(), pool, numbers{1, 2})
	require.ErrorIs(t, err, executor.ErrNotFound)
	require.ErrorContains(t, err, `no task is registered as "add"`)
}

// picky is a validator that knows one rule.
type picky struct{}

type fieldError struct{ field string }

func (e fieldError) Error() string { return "must not be negative" }
func (e fieldError) Field() string { return e.field }

func (picky) Struct(args any) error {
	if n := args.(numbers); n.B < 0 {
		return fieldError{"b"}
	}
	return nil
}

func TestSubmit_ValidatesArgumentsAndNamesTheField(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{Validator: picky{}})
	task := tasklib.MustRegister(client, "add", add, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))

	_, err := task.Submit(t.Context(), pool, numbers{1, -2})
	var args *tasklib.ArgsError
	require.ErrorAs(t, err, &args)
	require.Equal(t, "b", args.Field)
	require.EqualError(t, err, `arguments of task "add": field "b": must not be negative`)

	_, err = task.SubmitMany(t.Context(), pool, []numbers{{1, 1}, {1, -2}})
	require.ErrorContains(t, err, "task 2: ")
	require.Equal(t, 0, query[int](t, pool, "select count(*) from tasklib.tasks"))
}

func TestRegister_RefusesMisuse(t *testing.T) {
	t.Parallel()
	client := newClient(t, pgtest.New(t), tasklib.Config{})

	type tagged struct {
		Inner []struct {
			To string `validate:"email"`
		}
	}
	_, err := tasklib.Register(client, "tagged", func(context.Context, *tagged) (int, error) { return 0, nil }, tasklib.Options{})
	require.ErrorContains(t, err, `have "validate" tags, but Config.Validator is not set`)
	_, err = tasklib.Register(client, "sealed", add, tasklib.Options{Encrypted: true})
	require.ErrorContains(t, err, "Config.Codec is not set")
	_, err = tasklib.Register(client, "deaf", func(context.Context, numbers) (chan int, error) { return nil, nil }, tasklib.Options{})
	require.EqualError(t, err, `task "deaf" has a result that cannot be JSON: chan int`)
	tasklib.MustRegister(client, "add", add, tasklib.Options{})
	_, err = tasklib.Register(client, "add", add, tasklib.Options{})
	require.ErrorContains(t, err, `task "add" is already registered`)
	require.Panics(t, func() { tasklib.MustRegister(client, "add", add, tasklib.Options{}) })
	_, err = tasklib.Register(client, "", add, tasklib.Options{})
	require.ErrorContains(t, err, "needs a name")

	tasklib.MustRegister(client, "odd", add, tasklib.Options{Timeout: time.Millisecond})
	require.ErrorContains(t, client.Sync(t.Context()), `options of task "odd": timeout_seconds is not a whole number of seconds: 1ms`)
}

func TestSubmit_RefusesWhatTheDatabaseCannotStore(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	list := tasklib.MustRegister(client, "list", func(context.Context, []int) (int, error) { return 0, nil }, tasklib.Options{})
	text := tasklib.MustRegister(client, "text", func(context.Context, map[string]string) (int, error) { return 0, nil }, tasklib.Options{})
	odd := tasklib.MustRegister(client, "odd", func(context.Context, map[string]any) (int, error) { return 0, nil }, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))

	var args *tasklib.ArgsError
	_, err := list.Submit(t.Context(), pool, []int{1})
	require.ErrorAs(t, err, &args, "no object")
	_, err = text.Submit(t.Context(), pool, map[string]string{"a": "b\x00c"})
	require.ErrorAs(t, err, &args, "U+0000")
	_, err = text.Submit(t.Context(), pool, map[string]string{"a": `b\u0000c`})
	require.NoError(t, err, "a backslash and six letters are fine")
	_, err = odd.Submit(t.Context(), pool, map[string]any{"a": func() {}})
	require.ErrorAs(t, err, &args, "no JSON")
}

func TestSync_LeavesWhatOperatorsHaveSet(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{MaxRetries: 7, BaseRetryDelay: 250 * time.Millisecond, DefaultTaskTimeout: time.Minute})
	tasklib.MustRegister(client, "add", add, tasklib.Options{Timeout: 5 * time.Second, Description: "adds"})
	require.NoError(t, client.Sync(t.Context()))
	_, err := client.Functions().RegisterTask(t.Context(), "add", json.RawMessage(`{"concurrency_limit": 3}`))
	require.NoError(t, err)
	require.NoError(t, client.Sync(t.Context()))

	registered, err := client.Functions().GetRegisteredTasks(t.Context())
	require.NoError(t, err)
	require.Len(t, registered, 1)
	r := registered[0]
	require.Equal(t, int32(7), *r.MaxRetries)
	require.Equal(t, int32(5), *r.TimeoutSeconds)
	require.InDelta(t, 0.25, *r.BaseRetryDelaySeconds, 0)
	require.Equal(t, int32(3), *r.ConcurrencyLimit)
	require.Equal(t, "adds", *r.Description)
}
