package tasklib_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
)

type secret struct {
	Card string `json:"card"`
}

func newKeys(t *testing.T, current string, ids ...string) *codec.Keys {
	t.Helper()
	keys := map[string][]byte{}
	for _, id := range ids {
		keys[id] = []byte(fmt.Sprintf("%-32s", "the key "+id))
	}
	k, err := codec.NewKeys(current, keys)
	require.NoError(t, err)
	return k
}

func TestEncryptedArguments_AreStoredSealedAndRunOpen(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	opened := make(chan string, 2)
	run := func(_ context.Context, s secret) (secret, error) {
		opened <- s.Card
		return s, nil
	}
	before := newClient(t, pool, tasklib.Config{Codec: newKeys(t, "old", "old")})
	task := tasklib.MustRegister(before, "charge", run, tasklib.Options{Encrypted: true})
	require.NoError(t, before.Sync(t.Context()))
	s, err := task.Submit(t.Context(), pool, secret{"4111-1111"})
	require.NoError(t, err)

	d, err := before.Functions().GetTask(t.Context(), s.ID)
	require.NoError(t, err)
	require.NotContains(t, string(d.Kwargs), "4111")
	require.Contains(t, string(d.Kwargs), `"kid": "old"`)

	after := newClient(t, pool, tasklib.Config{Codec: newKeys(t, "new", "old", "new")})
	tasklib.MustRegister(after, "charge", run, tasklib.Options{Encrypted: true})
	start(t, after, tasklib.WorkerConfig{})
	require.Equal(t, "4111-1111", <-opened)
	require.NotContains(t, string(awaitState(t, after, s.ID, tasklib.StateCompleted).Result), "4111")
}

func TestEncryptedResultsAndErrors_AreOpenOnlyInTheClient(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{Codec: newKeys(t, "new", "old", "new")})
	give := tasklib.MustRegister(client, "give", func(_ context.Context, s secret) (secret, error) { return s, nil }, tasklib.Options{Encrypted: true})
	giveTx := tasklib.MustRegisterTx(client, "give_tx", func(_ context.Context, _ pgx.Tx, s secret) (secret, error) { return s, nil }, tasklib.Options{Encrypted: true})
	deny := tasklib.MustRegister(client, "deny", func(_ context.Context, s secret) (secret, error) {
		return s, tasklib.Permanent(fmt.Errorf("no %s", s.Card))
	}, tasklib.Options{Encrypted: true})
	panics := tasklib.MustRegister(client, "panic", func(_ context.Context, s secret) (secret, error) { panic(s.Card) }, tasklib.Options{Encrypted: true, MaxRetries: tasklib.NoRetries})
	require.NoError(t, client.Sync(t.Context()))
	start(t, client, tasklib.WorkerConfig{})
	for name, task := range map[string]*tasklib.Task[secret, secret]{"give": give, "give_tx": giveTx, "deny": deny, "panic": panics} {
		s, err := task.Submit(t.Context(), pool, secret{"4111-1111"})
		require.NoError(t, err)
		state := tasklib.StateCompleted
		if task == deny || task == panics {
			state = tasklib.StateFailed
		}
		stored := awaitState(t, client, s.ID, state)
		details, result, err := task.Get(t.Context(), pool, s.ID)
		require.NoError(t, err)
		require.JSONEq(t, `{"card": "4111-1111"}`, string(details.Kwargs))
		if state == tasklib.StateFailed {
			require.Regexp(t, `(?s)^encrypted [*a-zA-Z.]+ [a-p]{16}\nDETAIL: `, *stored.Error)
			require.Contains(t, *details.Error, "4111-1111")
			continue
		}
		require.Contains(t, string(stored.Result), `"kid": "new"`)
		require.Equal(t, "4111-1111", result.Card)
		_, _, err = tasklib.MustRegister(newClient(t, pool, tasklib.Config{Codec: newKeys(t, "old", "old")}), name, func(_ context.Context, s secret) (secret, error) { return s, nil },
			tasklib.Options{Encrypted: true}).Get(t.Context(), pool, s.ID)
		require.ErrorIs(t, err, tasklib.ErrKey)
	}
	require.Zero(t, query[int](t, pool, `select count(*)::integer from tasklib.tasks as t where t::text like '%4111%'`))
	other, err := give.Submit(t.Context(), pool, secret{"1"})
	require.NoError(t, err)
	awaitState(t, client, other.ID, tasklib.StateCompleted)
	exec(t, pool, `update tasklib.tasks as t set result = o.result from tasklib.tasks as o where t.id = $1 and o.id <> t.id and o.name = 'give'`, other.ID)
	_, _, err = give.Get(t.Context(), pool, other.ID)
	require.ErrorContains(t, err, "it belongs to another place")
}

func TestEncryptedArguments_ThatCannotBeOpenedFailForGood(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	run := func(context.Context, secret) (bool, error) { panic("never") }
	sender := newClient(t, pool, tasklib.Config{Codec: newKeys(t, "theirs", "theirs")})
	charge := tasklib.MustRegister(sender, "charge", run, tasklib.Options{Encrypted: true})
	refund := tasklib.MustRegister(sender, "refund", run, tasklib.Options{Encrypted: true})
	require.NoError(t, sender.Sync(t.Context()))

	unknown, err := charge.Submit(t.Context(), pool, secret{"1"})
	require.NoError(t, err)
	moved, err := refund.Submit(t.Context(), pool, secret{"1"})
	require.NoError(t, err)
	exec(t, pool, "update tasklib.tasks set name = 'charge' where id = $1", moved.ID)
	plain := query[[16]byte](t, pool, `select id from tasklib.submit_task('charge', '{"card": "1"}')`)

	for _, keys := range []*codec.Keys{newKeys(t, "ours", "ours")} {
		worker := newClient(t, pool, tasklib.Config{Codec: keys})
		tasklib.MustRegister(worker, "charge", run, tasklib.Options{Encrypted: true})
		start(t, worker, tasklib.WorkerConfig{})
	}
	require.Contains(t, *awaitState(t, sender, unknown.ID, tasklib.StateFailed).Error, `key "theirs" is unknown`)
	require.Contains(t, *awaitState(t, sender, plain, tasklib.StateFailed).Error, "they are not sealed")
	require.Contains(t, *awaitState(t, sender, moved.ID, tasklib.StateFailed).Error, tasklib.ErrKey.Error())
}

func TestEncryptedArguments_OfAnotherTypeAreNotInTheError(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	keys := newKeys(t, "k", "k")
	type number struct {
		Card  int64  `json:"card"`
		Extra string `json:"4111-extra"`
	}
	sender := newClient(t, pool, tasklib.Config{Codec: keys})
	task := tasklib.MustRegister(sender, "charge", func(context.Context, number) (bool, error) { return true, nil }, tasklib.Options{Encrypted: true})
	require.NoError(t, sender.Sync(t.Context()))
	s, err := task.Submit(t.Context(), pool, number{Card: 4111_1111_1111_1111})
	require.NoError(t, err)

	receiver := newClient(t, pool, tasklib.Config{Codec: keys})
	tasklib.MustRegister(receiver, "charge", func(context.Context, secret) (bool, error) { return true, nil }, tasklib.Options{Encrypted: true})
	start(t, receiver, tasklib.WorkerConfig{})
	stored := *awaitState(t, sender, s.ID, tasklib.StateFailed).Error
	require.NotContains(t, stored, "4111")
	require.Contains(t, stored, "card")
}

func TestKeys_DoNotShow(t *testing.T) {
	t.Parallel()
	k := newKeys(t, "a", "a")
	require.Equal(t, "codec.Keys(a)", fmt.Sprintf("%v", k))
	require.Equal(t, "codec.Keys(a)", fmt.Sprintf("%#v", k))

	_, err := codec.NewKeys("a", map[string][]byte{"a": []byte("short")})
	require.ErrorContains(t, err, `key "a"`)
	require.NotContains(t, err.Error(), "short")
	_, err = codec.NewKeys("b", map[string][]byte{"a": make([]byte, 32)})
	require.ErrorContains(t, err, `the current key "b" is not among the keys`)
}
