package floor

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

//go:embed floor.sql
var functions string

// Recorder keeps the writes of the calls in its database.
type Recorder struct {
	pool *pgxpool.Pool
	last int64
}

// Call has the writes of one call. Tasks are numbers in the order of their creation.
type Call struct {
	results  []result
	children []child
	tasks    []task
	logged   []taskMove
	claims   []claim
	// Writes counts the rows that were written, by table and kind.
	Writes map[string]int64
}

type result struct {
	task    int
	step    int32
	claim   int32
	results json.RawMessage
}

type child struct {
	task               int
	step               int32
	state              string
	pending, satisfied int32
}

type task struct {
	task                 int
	state                string
	open, active, logged int32
}

type taskMove struct {
	task              int
	sortKey, path     int32
	metadata, outcome json.RawMessage
}

type claim struct {
	task        int
	step, claim int32
}

// NewRecorder makes the tables of a migrated database note their changes.
func NewRecorder(ctx context.Context, pool *pgxpool.Pool) (*Recorder, error) {
	_, err := pool.Exec(ctx, functions+`
		do $$
		declare
		  v_table text;
		begin
		  for v_table in
		    select c.relname
		      from pg_class as c
		     where c.relnamespace = 'tasker'::regnamespace
		       and c.relkind in ('r', 'p')
		       and not c.relispartition
		  loop
		    execute format(
		      'create trigger floor_note_change after insert or update or delete on tasker.%I for each row execute function public.floor_note_change(%L)',
		      v_table, v_table
		    );
		  end loop;
		end;
		$$`)
	return &Recorder{pool: pool}, err
}

// Skip forgets the writes until now.
func (r *Recorder) Skip(ctx context.Context) error {
	return r.pool.QueryRow(ctx, "select coalesce(max(c.no), 0) from public.floor_changes as c").Scan(&r.last)
}

// Take returns the writes since Skip or the last Take.
func (r *Recorder) Take(ctx context.Context, tasks []uuid.UUID) (call Call, err error) {
	rows, err := r.pool.Query(ctx, "select c.no, c.relation, c.op, c.row from public.floor_changes as c where c.no > $1 order by c.no", r.last)
	if err != nil {
		return call, err
	}
	number := map[uuid.UUID]int{}
	for i, t := range tasks {
		number[t] = i
	}
	call.Writes = map[string]int64{}
	var relation, op string
	var row image
	_, err = pgx.ForEachRow(rows, []any{&r.last, &relation, &op, (*json.RawMessage)(&row.raw)}, func() error {
		call.Writes[relation+" "+op]++
		i := image{}
		if err := json.Unmarshal(row.raw, &i); err != nil {
			return err
		}
		n := number[i.TaskUUID]
		switch {
		case relation == "workflow_steps" && op == "UPDATE" && i.State == "complete":
			call.results = append(call.results, result{n, i.StepNo, i.ClaimNo, i.Results})
		case relation == "workflow_steps" && op == "UPDATE" && i.State == "in_progress":
			call.claims = append(call.claims, claim{n, i.StepNo, i.ClaimNo})
		case relation == "workflow_steps" && op == "UPDATE":
			call.children = append(call.children, child{n, i.StepNo, i.State, i.PendingParents, i.SatisfiedParents})
		case relation == "tasks" && op == "UPDATE":
			call.tasks = append(call.tasks, task{n, i.State, i.OpenSteps, i.ActiveSteps, i.TransitionCount})
		case relation == "task_log" && op == "INSERT":
			call.logged = append(call.logged, taskMove{n, i.SortKey, i.Path, i.Metadata, i.Outcome})
		}
		return nil
	})
	return call, err
}

// image is a row as it was written. A table has only some of these columns.
type image struct {
	raw              []byte
	TaskUUID         uuid.UUID       `json:"task_uuid"`
	StepNo           int32           `json:"step_no"`
	State            string          `json:"state"`
	TransitionCount  int32           `json:"transition_count"`
	PendingParents   int32           `json:"pending_parents"`
	SatisfiedParents int32           `json:"satisfied_parents"`
	ClaimNo          int32           `json:"claim_no"`
	Results          json.RawMessage `json:"results"`
	OpenSteps        int32           `json:"open_steps"`
	ActiveSteps      int32           `json:"active_steps"`
	SortKey          int32           `json:"sort_key"`
	Path             int32           `json:"path"`
	Metadata         json.RawMessage `json:"metadata"`
	Outcome          json.RawMessage `json:"outcome"`
}

// Drain runs the engine until these tasks are drained, with this number of steps in each exchange, and returns the writes of each
// call.
func (r *Recorder) Drain(ctx context.Context, conn *pgx.Conn, tasks []uuid.UUID, batch int) (calls []Call, err error) {
	if err := r.Skip(ctx); err != nil {
		return nil, err
	}
	_, err = Drain(ctx, conn, batch, func() error {
		call, err := r.Take(ctx, tasks)
		calls = append(calls, call)
		return err
	})
	return calls, err
}

// Hold keeps the number of the claim of a new task's first step.
func (c *Call) Hold(n int, number int32) { c.claims = append(c.claims, claim{n, 1, number}) }

// Held returns the number that Hold kept.
func (c *Call) Held(n int) int32 { return c.claims[n].claim }

// Add returns the writes of several calls together.
func Add(calls []Call) map[string]int64 {
	sum := map[string]int64{}
	for _, c := range calls {
		for what, n := range c.Writes {
			sum[what] += n
		}
	}
	return sum
}

// Steps returns the number of results that the calls recorded.
func Steps(calls []Call) (n int) {
	for _, c := range calls {
		n += len(c.results)
	}
	return n
}

func (c Call) String() string {
	return fmt.Sprintf("%d results, %d children, %d tasks, %d claims", len(c.results), len(c.children), len(c.tasks), len(c.claims))
}
