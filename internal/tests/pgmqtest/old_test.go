package pgmqtest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/pgmqtest"
)

// oldPgmq has the signatures and the tables of pgmq 1.4, as far as functions of schema tasker call them: no headers, delays in
// seconds as a default, no condition. The bodies are stubs.
const oldPgmq = `
	drop extension if exists pgmq cascade;
	drop schema if exists pgmq cascade;
	create schema pgmq;
	create table pgmq.meta (queue_name varchar unique not null, is_partitioned boolean not null, is_unlogged boolean not null, created_at timestamptz not null default now());

	create function pgmq.create(queue_name text) returns void language plpgsql as $$
	begin
	  execute format('create table if not exists pgmq.%I (msg_id bigint primary key generated always as identity, read_ct int not null default 0, enqueued_at timestamptz not null default now(), vt timestamptz not null, message jsonb)', lower('q_' || queue_name));
	  execute format('create table if not exists pgmq.%I (msg_id bigint primary key, read_ct int not null default 0, enqueued_at timestamptz not null default now(), archived_at timestamptz not null default now(), vt timestamptz not null, message jsonb)', lower('a_' || queue_name));
	  insert into pgmq.meta (queue_name, is_partitioned, is_unlogged) values ($1, false, false) on conflict do nothing;
	end $$;
	create function pgmq.send(queue_name text, msg jsonb, delay integer default 0) returns setof bigint language plpgsql as $$
	begin
	  return query execute format('insert into pgmq.%I (vt, message) values (clock_timestamp() + make_interval(secs => $1), $2) returning msg_id', lower('q_' || queue_name)) using delay, msg;
	end $$;
	create function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer default 0) returns setof bigint language plpgsql as $$
	begin
	  return query select s from unnest(msgs) as u (m) cross join lateral pgmq.send(queue_name, u.m, delay) as s;
	end $$;
	create function pgmq.read(queue_name text, vt integer, qty integer) returns setof bigint language sql as 'select null::bigint where false';
	create function pgmq.delete(queue_name text, msg_id bigint) returns boolean language sql as 'select false';
	create function pgmq.archive(queue_name text, msg_id bigint) returns boolean language sql as 'select false';
	create function pgmq.set_vt(queue_name text, msg_id bigint, vt integer) returns setof bigint language sql as 'select null::bigint where false';
	select tasker.adopt_pgmq();`

func TestWrappers_WorkOverPgmq14(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), oldPgmq)
	require.NoError(t, err)
	require.Equal(t, "foreign", pgmqtest.Kind(t, pool))
	queue := executor.New(pool)

	// This queue exists as 1.4 creates it, without headers.
	_, err = pool.Exec(t.Context(), `select pgmq.create('old'); select tasker.adopt_pgmq()`)
	require.NoError(t, err)
	message := sqlfn.PgmqSendWithNotifyParams{QueueName: "old", Message: json.RawMessage(`{"n": 1}`)}
	id, err := queue.PgmqSendWithNotify(t.Context(), message)
	require.NoError(t, err)
	read, err := queue.PgmqReadSpecificMessage(t.Context(), "old", id, nil)
	require.NoError(t, err)
	require.JSONEq(t, `{"n": 1}`, string(read.Message))
	require.Nil(t, read.Headers)
	require.Nil(t, read.LastReadAt)
	messages, err := queue.PeekQueue(t.Context(), "old", 0, 0)
	require.NoError(t, err)
	require.Len(t, messages, 1)

	message.Headers = json.RawMessage(`{"h": 1}`)
	_, err = queue.PgmqSendWithNotify(t.Context(), message)
	require.ErrorIs(t, err, executor.ErrInvalid, "this pgmq has no headers")

	// A queue that pgtasker creates has the column.
	_, err = queue.EnsureTaskQueue(t.Context(), "new")
	require.NoError(t, err)
	ids, err := queue.PgmqSendBatchWithNotify(t.Context(), sqlfn.PgmqSendBatchWithNotifyParams{
		QueueName: "new", Messages: []json.RawMessage{json.RawMessage(`1`), json.RawMessage(`2`)},
	})
	require.NoError(t, err)
	require.Equal(t, []int64{1, 2}, ids)
	added, err := queue.PgmqEnsureHeadersColumn(t.Context(), "new")
	require.NoError(t, err)
	require.False(t, added, "the column exists already")

	statistics, err := queue.GetQueueStatistics(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, statistics, 2)
	require.Equal(t, int64(2), statistics[0].VisibleLength)
	require.Equal(t, int64(0), statistics[1].VisibleLength)
}
