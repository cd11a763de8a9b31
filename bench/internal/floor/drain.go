package floor

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Templates are templates in namespace bench: tasks of seven steps, of one step, and of a chain of five steps.
var Templates = []string{
	`{"namespace": "bench", "name": "diamond", "identity_strategy": "always_unique", "steps": [
	  {"name": "top"},
	  {"name": "a", "dependencies": ["top"]}, {"name": "b", "dependencies": ["top"]}, {"name": "c", "dependencies": ["top"]},
	  {"name": "d", "dependencies": ["top"]}, {"name": "e", "dependencies": ["top"]},
	  {"name": "bottom", "dependencies": ["a", "b", "c", "d", "e"]}]}`,
	`{"namespace": "bench", "name": "single", "identity_strategy": "always_unique", "steps": [{"name": "only"}]}`,
	`{"namespace": "bench", "name": "chain", "identity_strategy": "always_unique", "steps": [
	  {"name": "one"}, {"name": "two", "dependencies": ["one"]}, {"name": "three", "dependencies": ["two"]},
	  {"name": "four", "dependencies": ["three"]}, {"name": "five", "dependencies": ["four"]}]}`,
}

// exchange is the call that a worker makes, with the UUID of a request.
const exchange = `
	select e.step_uuid, e.claim_no, e.answer, e.handler, e.context, e.parent_results
	  from tasker.exchange_steps(
	    $1, $2::uuid[], $3::integer[], $4::jsonb[], array_replace($5::text[], '', null), $6::boolean[],
	    array_replace($7::integer[], -1, null), $8::bigint[], '{bench}', $9, null, null, $10) as e`

// Drain exchanges results for steps until no step is left. It calls the function `called` after each exchange, and returns the
// number of steps.
func Drain(ctx context.Context, conn *pgx.Conn, batch int, called func() error) (done int, err error) {
	worker := uuid.New()
	var steps []uuid.UUID
	var claims []int32
	for {
		n := len(steps)
		results, failures := make([]json.RawMessage, n), make([]string, n)
		permanent, backoffs, times := make([]bool, n), make([]int32, n), make([]int64, n)
		for i := range n {
			results[i], backoffs[i], times[i] = json.RawMessage(`{"ok": true}`), -1, 7
		}
		rows, err := conn.Query(ctx, exchange, worker, steps, claims, results, failures, permanent, backoffs, times, batch, uuid.New())
		if err != nil {
			return done, err
		}
		var step uuid.UUID
		var claim int32
		var answer, handler *string
		var payload, parents json.RawMessage
		steps, claims = nil, nil
		if _, err := pgx.ForEachRow(rows, []any{&step, &claim, &answer, &handler, &payload, &parents}, func() error {
			switch {
			case answer == nil:
				steps, claims = append(steps, step), append(claims, claim)
			case *answer != "completed":
				return fmt.Errorf("step %s: %s", step, *answer)
			default:
				done++
			}
			return nil
		}); err != nil {
			return done, err
		}
		if called != nil {
			if err := called(); err != nil {
				return done, err
			}
		}
		if n == 0 && len(steps) == 0 {
			return done, nil
		}
	}
}
