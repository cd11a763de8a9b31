package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// cells returns two of them, in one of which the namespace of the orders lives.
func cells(t *testing.T, pools ...*pgxpool.Pool) *Cells {
	t.Helper()
	for len(pools) < 2 {
		pools = append(pools, pgtest.New(t))
	}
	c := NewCells(&Cell{"a", pools[0]}, &Cell{"b", pools[1]})
	loaded, err := template.Load(strings.NewReader(templates))
	require.NoError(t, err)
	require.NoError(t, c.Prepare(t.Context(), loaded...))
	require.NoError(t, c.Settle(t.Context(), "shop", "a"))
	return c
}

// poolAt returns a pool whose connections go to an address of TCP.
func poolAt(t *testing.T, address string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), "postgres://postgres@"+address+"/postgres?sslmode=disable")
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// deadAndSlow returns a cell that refuses connections, and one that takes them and never answers.
func deadAndSlow(t *testing.T) (dead, slow *Cell) {
	t.Helper()
	closed, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	silent, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, silent.Close()) })
	return &Cell{"dead", poolAt(t, closed.Addr().String())}, &Cell{"slow", poolAt(t, silent.Addr().String())}
}

func TestTour_ShowsAMove(t *testing.T) {
	t.Parallel()
	c := NewCells(&Cell{"a", pgtest.New(t)}, &Cell{"b", pgtest.New(t)})
	var out strings.Builder
	require.NoError(t, tour(t.Context(), c, &out))
	told, list, _ := strings.Cut(out.String(), "b  ")
	require.Equal(t, "order 1 is in cell a, new: true\norder 2 is in cell a, new: true\n"+
		"order 3 is in cell b, new: true\norder 1 is in cell a, new: false\n", told)
	require.Equal(t, 2, strings.Count(list, "\na  "))
	require.Equal(t, 3, strings.Count(list, "  complete\n"))
}

func TestFind_ReportsTheCellThatIsAway(t *testing.T) {
	t.Parallel()
	c := cells(t)
	started, err := c.Start(t.Context(), order(1))
	require.NoError(t, err)
	cell, task, err := c.Find(t.Context(), started.TaskUUID)
	require.NoError(t, err)
	require.Equal(t, "a", cell.Name)
	require.Equal(t, started.TaskUUID, task.TaskUUID)
	_, _, err = c.Find(t.Context(), uuid.New())
	require.ErrorIs(t, err, executor.ErrNotFound)

	dead, slow := deadAndSlow(t)
	c = NewCells(append(c.all, dead, slow)...)
	_, task, err = c.Find(t.Context(), started.TaskUUID)
	require.NoError(t, err)
	require.Equal(t, started.TaskUUID, task.TaskUUID)
	var away *AwayError
	_, _, err = c.Find(t.Context(), uuid.New())
	require.ErrorAs(t, err, &away)
	require.Equal(t, []string{"dead", "slow"}, away.Cells)
	require.NotErrorIs(t, err, executor.ErrNotFound)
}

func TestList_MergesPagesAndNamesWhoDidNotAnswer(t *testing.T) {
	t.Parallel()
	c := cells(t)
	require.NoError(t, c.Settle(t.Context(), "mail", "b"))
	_, err := c.all[1].Pool.Exec(t.Context(), `select tasker.register_task_template('{"namespace": "mail", "name": "letter",
		"identity_strategy": "always_unique", "steps": [{"name": "send"}]}')`)
	require.NoError(t, err)
	var want []uuid.UUID
	for i := range 6 {
		request := executor.TaskRequest{Namespace: "mail", Name: "letter"}
		if i%2 == 0 {
			request = order(i)
		}
		started, err := c.Start(t.Context(), request)
		require.NoError(t, err)
		require.Equal(t, map[bool]string{true: "a", false: "b"}[i%2 == 0], started.Cell)
		want = append([]uuid.UUID{started.TaskUUID}, want...)
	}

	var have []uuid.UUID
	filter := sqlfn.ListTasksParams{Limit: 4}
	for range 2 {
		page, missing, err := c.List(t.Context(), filter)
		require.NoError(t, err)
		require.Empty(t, missing)
		for _, task := range page {
			have = append(have, task.TaskUUID)
		}
		filter.Before = have[len(have)-1]
	}
	require.Equal(t, want, have)

	dead, slow := deadAndSlow(t)
	page, missing, err := NewCells(append(c.all, dead, slow)...).List(t.Context(), sqlfn.ListTasksParams{})
	require.NoError(t, err)
	require.Len(t, page, 6)
	require.Equal(t, []string{"dead", "slow"}, missing)
}

func TestStart_RefusesIncompleteRequests(t *testing.T) {
	t.Parallel()
	c := cells(t)
	_, err := c.Start(t.Context(), executor.TaskRequest{Namespace: "other", Name: "order"})
	require.ErrorIs(t, err, ErrHomeless)
	require.NoError(t, c.Settle(t.Context(), "shop", "a"), "a second call changes nothing")
	require.ErrorContains(t, c.Settle(t.Context(), "shop", "b"), "cell a has namespace shop")
	_, err = c.Start(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "nothing"})
	require.ErrorIs(t, err, executor.ErrNotFound)

	dead, _ := deadAndSlow(t)
	c = NewCells(c.all[0], c.all[1], dead)
	var away *AwayError
	_, err = c.Start(t.Context(), executor.TaskRequest{Namespace: "other", Name: "order"})
	require.ErrorAs(t, err, &away, "the unreachable cell may have the namespace")
	require.ErrorAs(t, c.Settle(t.Context(), "other", "a"), &away)
	_, err = c.Start(t.Context(), order(1))
	require.NoError(t, err, "namespaces of other cells work")
}

// Requests repeat the same keys while the namespace moves there and back; the mover crashes after its first word.
func TestMove_MakesNoSecondTask(t *testing.T) {
	t.Parallel()
	c := cells(t)
	const keys, clients = 40, 4
	var moved atomic.Bool
	var group sync.WaitGroup
	for range clients {
		own := NewCells(c.all...) // which remembers homes of its own
		group.Go(func() {
			for last := false; !last; {
				last = moved.Load()
				for key := range keys {
					if _, err := own.Start(context.Background(), order(key)); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	// The mover's first word, and no more of it: who comes next finishes the move.
	_, err := c.all[0].Pool.Exec(t.Context(), "update cell_namespaces set state = 'draining', moved_to = 'b' where namespace = 'shop'")
	require.NoError(t, err)
	_, err = c.Start(t.Context(), order(keys))
	require.NoError(t, err)
	require.ErrorContains(t, c.Move(t.Context(), "shop", "a"), "is being moved already")
	moved.Store(true)
	group.Wait()

	seen := map[string]int{}
	for _, cell := range c.all {
		rows, err := cell.Pool.Query(t.Context(), "select (context ->> 'number') from tasker.tasks")
		require.NoError(t, err)
		numbers, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		for _, number := range numbers {
			seen[number]++
		}
	}
	require.Len(t, seen, keys+1)
	for number, tasks := range seen {
		require.Equal(t, 1, tasks, "order %s", number)
	}
	started, err := c.Start(t.Context(), order(keys+1))
	require.NoError(t, err)
	require.Equal(t, "b", started.Cell)
}

func TestMove_QueriesTheOldCellWhileItHasTasks(t *testing.T) {
	t.Parallel()
	c := cells(t)
	first, err := c.Start(t.Context(), order(1))
	require.NoError(t, err)
	require.NoError(t, c.Move(t.Context(), "shop", "b"))
	require.NoError(t, c.Move(t.Context(), "shop", "b"), "a second call changes nothing")
	left, err := c.Gone(t.Context(), "shop", "a")
	require.NoError(t, err)
	require.Equal(t, 1, left)

	// The old cell is away: a repeat cannot be told from a new request.
	dead, _ := deadAndSlow(t)
	dead.Name = "a"
	_, err = NewCells(dead, c.all[1]).Start(t.Context(), order(1))
	var away *AwayError
	require.ErrorAs(t, err, &away)
	again, err := c.Start(t.Context(), order(1))
	require.NoError(t, err)
	require.Equal(t, Started{"a", first.TaskUUID, false}, again)

	// A repeat leaves nothing behind in the old cell when it is none.
	_, err = c.Start(t.Context(), order(2))
	require.NoError(t, err)
	left, err = c.Gone(t.Context(), "shop", "a")
	require.NoError(t, err)
	require.Equal(t, 1, left)

	// As retention does, in the end.
	_, err = c.all[0].Pool.Exec(t.Context(), `select tasker.drop_partition_range(r.starts_at) from tasker.partition_ranges as r;
		select tasker.ensure_partitions(); select tasker.gc_identities()`)
	require.NoError(t, err)
	left, err = c.Gone(t.Context(), "shop", "a")
	require.NoError(t, err)
	require.Zero(t, left)
	_, err = NewCells(dead, c.all[1]).Start(t.Context(), order(3))
	require.NoError(t, err, "the new cell answers without the old one")

	// A word from before, told late, changes nothing: the namespace has moved on.
	require.NoError(t, c.Move(t.Context(), "shop", "a"))
	require.NoError(t, c.all[1].receive(t.Context(), "shop", "a", 2))
	w, err := readWord(t.Context(), c.all[1].Pool, "shop", "")
	require.NoError(t, err)
	require.Equal(t, "draining", w.state)
}

// The cell that is away has a share of the places, and no more: the other goes on with its own.
func TestWork_GoesOnBesideACellThatIsAway(t *testing.T) {
	t.Parallel()
	c := cells(t)
	dead, slow := deadAndSlow(t)
	c = NewCells(append(c.all, dead, slow)...)
	started, err := c.Start(t.Context(), order(1))
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	worked := make(chan error, 1)
	go func() { worked <- c.Work(ctx, 8, handle, worker.Config{Logger: slog.New(slog.DiscardHandler)}) }()
	task, err := executor.NewClient(c.all[0].Pool).Tasks().Wait(t.Context(), started.TaskUUID)
	require.NoError(t, err)
	require.Equal(t, "complete", string(task.State))
	stop()
	<-worked // After 10 s: a worker keeps trying to reach a cell in which it may have claimed steps.
}

func TestOpen_SaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for want, arguments := range map[string][]string{
		"two cells are needed":   {"a=postgres://localhost"},
		`"b" is not of the form`: {"a=postgres://localhost", "b"},
		"cell b: cannot parse":   {"a=postgres://localhost", "b=postgres://%"},
	} {
		_, err := open(t.Context(), arguments)
		require.ErrorContains(t, err, want, fmt.Sprint(arguments))
	}
}

// Two that settle a namespace at once, each in another cell: one of them succeeds.
func TestSettle_OneOfTwoAtOnceSucceeds(t *testing.T) {
	t.Parallel()
	c := cells(t)
	for round := range 20 {
		namespace := fmt.Sprintf("team_%d", round)
		var errs [2]error
		var both sync.WaitGroup
		for i, name := range []string{"a", "b"} {
			both.Go(func() { errs[i] = c.Settle(t.Context(), namespace, name) })
		}
		both.Wait()
		require.NotEqual(t, errs[0] == nil, errs[1] == nil, "round %d: %v and %v", round, errs[0], errs[1])
		home, err := c.lookup(t.Context(), namespace)
		require.NoError(t, err)
		require.NoError(t, c.Settle(t.Context(), namespace, home.Name), "a repeat")
	}
}

// The old cell has lost the end of its log, and with it that it has handed the namespace over: both cells say that they have it.
func TestLookup_TheLaterWordCounts(t *testing.T) {
	t.Parallel()
	c := cells(t)
	require.NoError(t, c.Move(t.Context(), "shop", "b"))
	_, err := c.all[0].Pool.Exec(t.Context(), "update cell_namespaces set state = 'here', moved_to = null where namespace = 'shop'")
	require.NoError(t, err)
	for range 20 { // maps have no order
		home, err := NewCells(c.all...).lookup(t.Context(), "shop")
		require.NoError(t, err)
		require.Equal(t, "b", home.Name)
	}
	// A program that remembers the old cell is sent on.
	stale := NewCells(c.all...)
	stale.homes["shop"] = c.all[0]
	started, err := stale.Start(t.Context(), order(1))
	require.NoError(t, err)
	require.Equal(t, "b", started.Cell)
	require.True(t, started.Created)
}

// The move had ended before the old cell lost its log, and made a task in both.
func TestLookup_TheCellThatLostAMoveIsAskedForItsTasks(t *testing.T) {
	t.Parallel()
	c := cells(t)
	require.NoError(t, c.Move(t.Context(), "shop", "b"))
	left, err := c.Gone(t.Context(), "shop", "a")
	require.NoError(t, err)
	require.Zero(t, left)
	_, err = c.all[0].Pool.Exec(t.Context(), "update cell_namespaces set state = 'here', moved_to = null where namespace = 'shop'")
	require.NoError(t, err)
	made, err := c.create(t.Context(), c.all[0], order(1))
	require.NoError(t, err)
	found, err := NewCells(c.all...).Start(t.Context(), order(1))
	require.NoError(t, err)
	require.Equal(t, Started{"a", made.TaskUUID, false}, found, "the task that was made meanwhile is found")
	other, err := NewCells(c.all...).Start(t.Context(), order(2))
	require.NoError(t, err)
	require.Equal(t, "b", other.Cell)
}
