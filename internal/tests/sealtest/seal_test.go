package sealtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// secret is in every payload of these tests, and must be nowhere in the database.
const secret = "zebra-4111"

const within = time.Minute

func keysOf(t testing.TB, current string, ids ...string) *codec.Keys {
	t.Helper()
	keys := map[string][]byte{codec.HashKey: []byte(fmt.Sprintf("%-32s", "the hash"))}
	for _, id := range ids {
		keys[id] = []byte(fmt.Sprintf("%-32s", "the key "+id))
	}
	k, err := codec.NewKeys(current, keys)
	require.NoError(t, err)
	return k
}

type claim struct {
	Customer int      `json:"customer"`
	Card     string   `json:"card"`
	Lines    []string `json:"lines"`
}

type charge struct {
	Receipt string `json:"receipt"`
}

const templates = `[
  {"namespace": "shop", "name": "claim", "encrypted": {"clear": ["customer", "lines"]}, "on_failure": "fail", "steps": [
    {"name": "charge", "retry": {"max_attempts": 3, "base_seconds": 0.01}, "compensate": "uncharge"},
    {"name": "each", "for_each": "$.lines", "handler": "line", "limit": "one", "limit_key": "$.customer"},
    {"name": "ok", "await": {"signal": "ok"}, "dependencies": ["charge"]},
    {"name": "function", "dependencies": ["charge", "each", "ok"], "retry": {"max_attempts": 5, "base_seconds": 0.01}},
    {"name": "child", "task": {"name": "part"}, "dependencies": ["function"]},
    {"name": "picked", "task": {"name": "part", "context": {"step": "function"}}, "dependencies": ["function"]},
    {"name": "tx", "dependencies": ["child", "picked"]},
    {"name": "last", "dependencies": ["tx", "charge"], "retry": {"max_attempts": 1}}]},
  {"namespace": "shop", "name": "part", "encrypted": {"clear": ["customer", "lines"]}, "on_failure": "fail", "steps": [{"name": "do", "handler": "part"}]},
  {"namespace": "shop", "name": "plain", "identity_strategy": "always_unique", "steps": [{"name": "do", "handler": "plain"}]}]`

func register(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `select tasker.register_namespace('shop')`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `select tasker.register_task_template(t.value) from jsonb_array_elements($1::jsonb) as t (value)`, templates)
	require.NoError(t, err)
}

// fates say how handlers of the test end.
type fates struct{ last bool }

func newWorker(t testing.TB, pool *pgxpool.Pool, c codec.Codec, f *fates) *worker.Worker {
	t.Helper()
	w, err := worker.New(pool, worker.Config{Codec: c, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), PollInterval: 50 * time.Millisecond})
	require.NoError(t, err)
	worker.Handle(w, "charge", func(ctx context.Context, job *worker.Job[claim]) (charge, error) {
		if job.Input.Card != secret {
			return charge{}, worker.Permanent(fmt.Errorf("another card: %q", job.Input.Card))
		}
		var at charge
		found, err := job.LastCheckpoint(&at)
		if err != nil {
			return charge{}, err
		}
		if !found {
			if err := job.Checkpoint(ctx, charge{secret + " at half"}); err != nil {
				return charge{}, err
			}
			return charge{}, fmt.Errorf("the bank refused %s", secret)
		}
		if job.LastError != "the bank refused "+secret {
			return charge{}, worker.Permanent(fmt.Errorf("another last error: %q", job.LastError))
		}
		return charge{at.Receipt + ", done"}, nil
	})
	worker.Handle(w, "uncharge", func(_ context.Context, job *worker.Job[claim]) (string, error) {
		var undone struct {
			Result charge `json:"result"`
		}
		if err := job.Inputs(&undone); err != nil || undone.Result.Receipt != secret+" at half, done" {
			return "", worker.Permanent(fmt.Errorf("undoes %q: %w", undone.Result.Receipt, err))
		}
		return secret + " is undone", nil
	})
	worker.Handle(w, "line", func(_ context.Context, job *worker.Job[claim]) (string, error) {
		var inputs struct {
			Element string `json:"element"`
		}
		return secret + " of " + inputs.Element, job.Inputs(&inputs)
	})
	worker.Handle(w, "function", function)
	worker.Handle(w, "part", func(_ context.Context, job *worker.Job[map[string]any]) (string, error) {
		return fmt.Sprint(secret, " part of ", job.Input["card"]), nil
	})
	worker.HandleTx(w, "tx", func(ctx context.Context, _ pgx.Tx, job *worker.Job[claim]) (string, error) {
		child, err := worker.Result[map[string]string](job, "child")
		if err != nil {
			return "", err
		}
		picked, err := worker.Result[map[string]string](job, "picked")
		return child["do"] + " and " + picked["do"], err
	})
	worker.Handle(w, "last", func(_ context.Context, job *worker.Job[claim]) (string, error) {
		both, err := worker.Result[string](job, "tx")
		if err != nil || both != fmt.Sprintf("%s part of %s and %s part of %s", secret, secret, secret, secret) {
			return "", worker.Permanent(fmt.Errorf("tx returned %q: %w", both, err))
		}
		ancestor, err := worker.Result[[]string](job, "each") // further up
		if err != nil || len(ancestor) != 2 || ancestor[1] != secret+" of b" {
			return "", worker.Permanent(fmt.Errorf("each returned %q: %w", ancestor, err))
		}
		if f.last {
			return "", worker.Permanent(fmt.Errorf("no more %s", secret))
		}
		return secret + " at the end", nil
	})
	worker.Handle(w, "plain", func(context.Context, *worker.Job[map[string]any]) (string, error) { return "in the clear", nil })
	return w
}

// function keeps results, an error and a state, waits for a signal, and continues once.
func function(ctx context.Context, job *worker.Job[claim]) (map[string]string, error) {
	var state charge
	again, err := job.State(&state)
	if err != nil {
		return nil, err
	}
	if paid, err := worker.Result[charge](job, "charge"); err != nil || !strings.HasPrefix(paid.Receipt, secret) {
		return nil, worker.Permanent(fmt.Errorf("charged %q: %w", paid.Receipt, err))
	}
	kept, err := worker.Once(ctx, job, "keep", func(context.Context, uuid.UUID) (string, error) { return secret + " kept", nil })
	if err != nil || kept != secret+" kept" {
		return nil, worker.Permanent(fmt.Errorf("kept %q: %w", kept, err))
	}
	err = worker.Do(ctx, job, "fail", func(context.Context, uuid.UUID) error { return worker.Permanent(errors.New("never " + secret)) })
	var failed *worker.KeptError
	if !errors.As(err, &failed) || failed.Text != "never "+secret {
		return nil, worker.Permanent(fmt.Errorf("kept the error %w", err))
	}
	worker.Sleep(ctx, job, 10*time.Millisecond)
	answer, err := worker.Await(ctx, job, worker.Signal[string]("more"), worker.Waiting{})
	if err != nil || answer.Payload != secret+" signal" {
		return nil, worker.Permanent(fmt.Errorf("the signal was %q: %w", answer.Payload, err))
	}
	if !again {
		worker.ContinueAs(ctx, job, charge{secret + " state"})
	}
	if state.Receipt != secret+" state" {
		return nil, worker.Permanent(fmt.Errorf("the state was %q", state.Receipt))
	}
	return map[string]string{"card": secret}, nil
}

func start(t *testing.T, w *worker.Worker) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			cancel()
			require.NoError(t, <-done)
		}
	}
	t.Cleanup(stop)
	return stop
}

func create(t testing.TB, client *executor.Client, template string, n int) uuid.UUID {
	t.Helper()
	task, err := client.Tasks().Create(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: template,
		Context: json.RawMessage(fmt.Sprintf(`{"customer": %d, "card": %q, "lines": ["a", "b"]}`, n, secret)),
	})
	require.NoError(t, err)
	return task.TaskUUID
}

func signals(t testing.TB, client *executor.Client, task uuid.UUID) {
	t.Helper()
	for _, name := range []string{"ok", "more", "more"} {
		raw, err := json.Marshal(secret + " signal")
		require.NoError(t, err)
		_, err = client.Signals().Send(t.Context(), task, executor.Signal{Name: name, Payload: raw})
		require.NoError(t, err)
	}
}

// TestEncrypted_NothingIsInADumpAndAllOfItIsInTheProgram runs tasks that complete, fail, become dead letters, or are undone,
// forked and exported. Then it searches for their payloads.
func TestEncrypted_NothingIsInADumpAndAllOfItIsInTheProgram(t *testing.T) {
	pool, server := pgtest.NewPrivate(t, pgtest.MaxConns(12))
	register(t, pool)
	keys := keysOf(t, "k1", "k1")
	client := executor.NewClient(executor.WithCodec(pool, keys))
	_, err := pool.Exec(t.Context(), `select tasker.subscribe('all')`)
	require.NoError(t, err)

	f := &fates{}
	stop := start(t, newWorker(t, pool, keys, f))
	good := create(t, client, "claim", 1)
	require.Equal(t, good, create(t, client, "claim", 1), "the same context is the same task")
	signals(t, client, good)
	wait(t, client, good)
	result, err := client.Tasks().Result(t.Context(), good)
	require.NoError(t, err)
	require.Contains(t, string(result), secret+" at the end")
	detail, err := client.Tasks().Get(t.Context(), good)
	require.NoError(t, err)
	require.Contains(t, string(detail.Context), secret, "the client sees it")

	// In the clear.
	var customer int
	require.NoError(t, pool.QueryRow(t.Context(), `select (t.context ->> 'customer')::integer from tasker.tasks as t where t.task_uuid = $1`, good).Scan(&customer))
	require.Equal(t, 1, customer)

	f.last = true
	bad := create(t, client, "claim", 2)
	signals(t, client, bad)
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	_, err = client.Tasks().Wait(ctx, bad)
	var failed *executor.TaskError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "no more "+secret, failed.LastError, "the client sees the error")

	f.last = false
	fork, err := executor.New(pool).ForkTask(t.Context(), sqlfn.ForkTaskParams{TaskUUID: good, FromStep: "last", Reason: "again"})
	require.NoError(t, err)
	wait(t, client, fork)

	// A result by hand, a dead letter, exports, the feed, and incidents.
	byHand := create(t, client, "claim", 3)
	require.Eventually(t, func() bool {
		step, err := client.Tasks().Step(t.Context(), byHand, "ok")
		return err == nil && step.State == state.StepSuspended
	}, within, 20*time.Millisecond)
	done, err := client.Operate().CompleteByName(ctx, byHand, "ok", map[string]string{"by": secret}, executor.By{Reason: "by hand", Actor: "ann"})
	require.NoError(t, err)
	require.True(t, done)
	stop()
	_, err = pool.Exec(t.Context(), `select tasker_test.freeze(now() + interval '3 days'); select tasker.detect_and_transition_stale_tasks(p_dry_run => false)`)
	require.NoError(t, err)
	var letters int
	require.NoError(t, pool.QueryRow(t.Context(), `select count(*) from tasker.tasks_dlq`).Scan(&letters))
	require.Positive(t, letters, "a dead letter")
	for _, task := range []uuid.UUID{good, bad, fork, byHand} {
		exported, err := executor.New(pool).ExportTask(t.Context(), task, true, nil)
		require.NoError(t, err)
		require.NotContains(t, string(exported), "zebra")
	}
	_, err = pool.Exec(t.Context(), `select tasker.do_duties()`)
	require.NoError(t, err)

	dump := exec.CommandContext(t.Context(), filepath.Join(server.Bin, "pg_dump"), pgtest.URL(pool))
	text, err := dump.Output()
	require.NoError(t, err)
	require.Contains(t, string(text), `"pgtasker"`)
	requireNowhere(t, "the dump", string(text))
	var folder string
	require.NoError(t, pool.QueryRow(t.Context(), `select current_setting('data_directory')`).Scan(&folder))
	log, err := os.ReadFile(filepath.Join(filepath.Dir(folder), "server.log"))
	require.NoError(t, err)
	requireNowhere(t, "the server's log", string(log))
}

func requireNowhere(t *testing.T, what, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.Contains(line, "zebra") {
			require.Fail(t, what+" has a value in the clear", line[:min(len(line), 1000)])
		}
	}
}

func wait(t *testing.T, client *executor.Client, task uuid.UUID) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	detail, err := client.Tasks().Wait(ctx, task)
	require.NoError(t, err)
	require.Equal(t, state.TaskComplete, detail.State)
}

// TestEncrypted_KeysRotate encrypts with the old key while the new key is there, and the other way round.
func TestEncrypted_KeysRotate(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	register(t, pool)
	old := executor.NewClient(executor.WithCodec(pool, keysOf(t, "k1", "k1")))
	task := create(t, old, "part", 1)
	both := executor.NewClient(executor.WithCodec(pool, keysOf(t, "k2", "k1", "k2")))
	require.Equal(t, task, create(t, both, "part", 1), "the hash does not rotate")
	report := workertest.Run(t, pool, newWorker(t, pool, keysOf(t, "k2", "k1", "k2"), &fates{}), task)
	require.Equal(t, state.TaskComplete, report.State, "%v", report)
	raw := string(report.Step(t, "do").Results)
	require.Contains(t, raw, `"kid": "k2"`)
	require.NotContains(t, raw, "zebra")
	result, err := both.Tasks().Result(t.Context(), task)
	require.NoError(t, err)
	require.Contains(t, string(result), secret)
}

// TestEncrypted_WithoutTheKeyAStepFailsWithItsName has a worker with another key, and a worker without a codec.
func TestEncrypted_WithoutTheKeyAStepFailsWithItsName(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	register(t, pool)
	client := executor.NewClient(executor.WithCodec(pool, keysOf(t, "theirs", "theirs")))
	for i, one := range []struct {
		codec codec.Codec
		says  string
	}{
		{keysOf(t, "ours", "ours"), `pgtasker: the context: the payload cannot be decrypted: key "theirs" is unknown`},
		{nil, `pgtasker: the payload cannot be decrypted: the context was encrypted with key "theirs", and there is no codec`},
	} {
		task := create(t, client, "part", i)
		report := workertest.Run(t, pool, newWorker(t, pool, one.codec, &fates{}), task)
		step := report.Step(t, "do")
		require.Equal(t, state.StepError, step.State)
		require.Equal(t, one.says, *step.LastError)
	}
}

// TestEncrypted_PayloadsThatWereMovedAreRefused swaps ciphertexts in the database.
func TestEncrypted_PayloadsThatWereMovedAreRefused(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	register(t, pool)
	keys := keysOf(t, "k1", "k1")
	client := executor.NewClient(executor.WithCodec(pool, keys))
	for _, swap := range []string{
		`update tasker.tasks set context = (select context from tasker.tasks where task_uuid = $2) where task_uuid = $1`, // of another template
		`update tasker.tasks set context = jsonb_set(context, '{pgtasker,for}', '"context shop/claim"') where task_uuid = $1 and $2::uuid is not null`,
		`update tasker.tasks set context = jsonb_set(context, '{pgtasker,hash}', '"other"') where task_uuid = $1 and $2::uuid is not null`,
	} {
		one, other := create(t, client, "claim", len(swap)), create(t, client, "part", len(swap))
		tamper(t, pool, swap, one, other)
		report := workertest.Run(t, pool, newWorker(t, pool, keys, &fates{}), one)
		if strings.Contains(swap, "pgtasker,for") {
			require.Equal(t, state.StepSuspended, report.Step(t, "ok").State, "what says what it said is not moved: %v", report)
			continue
		}
		step := report.Step(t, "charge")
		require.Equal(t, state.StepError, step.State, swap)
		require.Contains(t, *step.LastError, codec.ErrKey.Error())
	}
	// A result of another task.
	one, other := create(t, client, "claim", 1), create(t, client, "claim", 2)
	w := newWorker(t, pool, keys, &fates{})
	for _, task := range []uuid.UUID{one, other} {
		require.Eventually(t, func() bool { // The first attempt fails, and the next one is due a little later.
			return workertest.RunReady(t, pool, w, task).Step(t, "charge").State == state.StepComplete
		}, within, time.Millisecond)
	}
	tamper(t, pool, `update tasker.workflow_steps as s set results = o.results from tasker.workflow_steps as o
	   where s.task_uuid = $1 and o.task_uuid = $2 and s.name = 'charge' and o.name = s.name`, one, other)
	signals(t, client, one)
	report := workertest.RunReady(t, pool, w, one)
	step := report.Step(t, "function")
	require.Equal(t, state.StepError, step.State, "%v", report)
	require.Contains(t, *step.LastError, "it belongs to another place")
}

// tamper writes like a superuser who has removed the guards.
func tamper(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	require.NoError(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "alter table tasker.tasks disable trigger user; alter table tasker.workflow_steps disable trigger user"); err != nil {
			return err
		}
		if _, err := tx.Exec(t.Context(), sql, args...); err != nil {
			return err
		}
		_, err := tx.Exec(t.Context(), "alter table tasker.tasks enable trigger user; alter table tasker.workflow_steps enable trigger user")
		return err
	}))
}

// TestEncrypted_AForgetfulClientCannotLeak has clients and workers without a codec.
func TestEncrypted_AForgetfulClientCannotLeak(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	register(t, pool)
	_, err := executor.NewClient(pool).Tasks().Create(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "claim", Context: json.RawMessage(`{"card": "zebra-4111"}`),
	})
	require.ErrorIs(t, err, executor.ErrInvalid)
	require.ErrorContains(t, err, "the context is not encrypted")

	client := executor.NewClient(executor.WithCodec(pool, keysOf(t, "k1", "k1")))
	plain := create(t, client, "plain", 1)
	raw, err := executor.NewClient(pool).Tasks().Get(t.Context(), plain)
	require.NoError(t, err)
	require.Contains(t, string(raw.Context), secret, "a template that encrypts nothing stays in the clear")
	task := create(t, client, "claim", 1)
	_, err = executor.NewClient(pool).Signals().Send(t.Context(), task, executor.Signal{Name: "ok", Payload: json.RawMessage(`"zebra-4111"`)})
	require.ErrorIs(t, err, executor.ErrInvalid)

	// A worker without a codec.
	w, err := worker.New(pool, worker.Config{Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), PollInterval: 50 * time.Millisecond})
	require.NoError(t, err)
	worker.Handle(w, "line", func(context.Context, *worker.Job[map[string]any]) (string, error) { return secret, nil })
	stop := start(t, w)
	require.Contains(t, awaitError(t, pool, task, "each[0]"), `encrypted with key "k1", and there is no codec`)
	stop()
	// The codec of a worker fails on the text of an error. The step fails with other words, and is not lost.
	w, err = worker.New(pool, worker.Config{
		Codec: keysOf(t, "k1", "k1"), Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), PollInterval: 50 * time.Millisecond,
	})
	require.NoError(t, err)
	worker.Handle(w, "charge", func(context.Context, *worker.Job[map[string]any]) (string, error) {
		runtime.Goexit()
		return secret, nil
	})
	start(t, w)
	require.Contains(t, awaitError(t, pool, task, "charge"), "pgtasker: the worker sent a payload in the clear, which is not stored")
}

func awaitError(t *testing.T, pool *pgxpool.Pool, task uuid.UUID, name string) string {
	t.Helper()
	var step executor.StepDetail
	require.Eventually(t, func() bool {
		var err error
		step, err = executor.NewClient(pool).Tasks().Step(t.Context(), task, name)
		return err == nil && step.LastError != nil
	}, within, 20*time.Millisecond)
	return *step.LastError
}
