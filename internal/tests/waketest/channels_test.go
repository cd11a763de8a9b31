package waketest

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/tasklib"
	tasklibgen "github.com/pgtasker/pgtasker/tasklib/gen"
)

// documented returns the channels of docs/feed.md with the page's description of their payloads.
func documented(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/feed.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "| channel | payload | when |\n|---|---|---|\n")
	require.True(t, found)
	channels := map[string]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 {
			break
		}
		for name := range strings.SplitSeq(strings.TrimPrefix(cells[0], "| "), ", ") {
			channels[strings.Trim(name, "`")] = cells[1]
		}
	}
	return channels
}

// TestChannels_CarryWhatTheFeedsTableSays listens to each channel of docs/feed.md once, and searches all functions for channels
// that the page lacks.
func TestChannels_CarryWhatTheFeedsTableSays(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	set(t, pool, "always")
	e, lib := direct.New(pool), tasklib.NewFunctions(pool)
	_, err := e.EnsureTaskQueue(t.Context(), "worker_shop_queue")
	require.NoError(t, err)
	_, err = lib.RegisterTask(t.Context(), "mail", []byte(`{}`))
	require.NoError(t, err)
	always := "always"
	_, err = lib.SetSetting(t.Context(), tasklibgen.SetSettingParams{Name: "notify", Value: &always})
	require.NoError(t, err)

	channels := documented(t)
	listener, err := pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close(context.Background())) }()
	named := strings.NewReplacer("<namespace>", "shop")
	for name := range channels {
		_, err := listener.Exec(t.Context(), "listen "+pgx.Identifier{named.Replace(name)}.Sanitize())
		require.NoError(t, err)
	}

	worker := uuid.New()
	job, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "job"})
	require.NoError(t, err)
	claimed, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{Namespaces: []string{"shop"}, WorkerUUID: worker, Limit: 1})
	require.NoError(t, err)
	require.Len(t, claimed, 1)
	step := claimed[0].StepUUID
	_, err = pool.Exec(t.Context(), "select tasker.mark_sleeping(gen_random_uuid(), array['tasker_streams.' || $1::text])", step.String())
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `select tasker.append_items($1, $2, 'log', '["packed"]')`, step, claimed[0].ClaimNo)
	require.NoError(t, err)
	_, err = e.CancelTask(t.Context(), job.TaskUUID, "", "")
	require.NoError(t, err)
	later := executor.TaskRequest{Namespace: "shop", Name: "job"}
	later.Deferred = true
	_, err = e.CreateTask(t.Context(), later)
	require.NoError(t, err)
	_, err = e.PgmqSendWithNotify(t.Context(), sqlfn.PgmqSendWithNotifyParams{QueueName: "worker_shop_queue", Message: []byte(`{}`)})
	require.NoError(t, err)
	_, err = e.PgmqSendBatchWithNotify(t.Context(), sqlfn.PgmqSendBatchWithNotifyParams{QueueName: "worker_shop_queue", Messages: []json.RawMessage{[]byte(`{}`)}})
	require.NoError(t, err)
	var mail string
	require.NoError(t, pool.QueryRow(t.Context(), "select s.id::text from tasklib.submit_task('mail', '{}') as s").Scan(&mail))
	_, err = pool.Exec(t.Context(), "select tasklib.claim_tasks('{mail}', 'w', 1)")
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), "select tasklib.cancel_task($1)", mail)
	require.NoError(t, err)
	_, err = listener.Exec(t.Context(), "listen the_end")
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), "notify the_end")
	require.NoError(t, err)

	got := map[string][]string{}
	for {
		n, err := listener.WaitForNotification(t.Context())
		require.NoError(t, err)
		if n.Channel == "the_end" {
			break
		}
		got[n.Channel] = append(got[n.Channel], n.Payload)
	}
	fields := regexp.MustCompile(`\{[^}]*\}`)
	for name, payload := range channels {
		heard := got[named.Replace(name)]
		require.NotEmpty(t, heard, name)
		for _, text := range heard {
			switch payload {
			case "empty":
				require.Empty(t, text, name)
			case "UUID of a worker":
				require.Equal(t, worker.String(), text)
			case "UUID of a step":
				require.Equal(t, step.String(), text)
			case "the task's name":
				require.Equal(t, "mail", text)
			case "the task's ID":
				require.Equal(t, mail, text)
			default:
				want := regexp.MustCompile(`\w+`).FindAllString(fields.FindString(payload), -1)
				require.NotEmpty(t, want, payload)
				var object map[string]any
				require.NoError(t, json.Unmarshal([]byte(text), &object), name)
				if object["event_type"] == "batch_ready" {
					require.Contains(t, payload, "of a batch without `msg_id` and `delay_seconds`")
					want = slices.DeleteFunc(want, func(field string) bool { return field == "msg_id" || field == "delay_seconds" })
				}
				for field := range object {
					require.Contains(t, want, field, name)
				}
				require.Len(t, object, len(want), name)
			}
		}
	}

	// Channels begin with a literal in every call of pg_notify.
	rows, err := pool.Query(t.Context(), `
		select m[1]
		  from pg_proc as p
		 cross join lateral regexp_matches(p.prosrc, 'pg_notify\s*\(\s*([^,]*)', 'g') as m
		 where p.pronamespace = any (array['tasker', 'tasklib', 'pgmq']::regnamespace[])`)
	require.NoError(t, err)
	sent, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.NotEmpty(t, sent)
	for _, argument := range sent {
		quoted := strings.Split(argument, "'")
		require.Len(t, quoted[:min(len(quoted), 2)], 2, "pg_notify(%s …) names no channel", argument)
		begin := quoted[1]
		require.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(channels)), func(name string) bool { return strings.HasPrefix(name, begin) }),
			"docs/feed.md does not name channel %s", begin)
	}
}
