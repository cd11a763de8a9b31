package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

// sessionBound bounds two ratios of the cost of an exchange: of a later part of the session to its second part, and of a
// session with another first call to a session without that call.
const sessionBound = 1.05

// compareSession lets one session begin with cancel_task and another with an exchange. Then each session exchanges one
// result for one step many times. The cost must depend neither on the plans that the first call has left nor on the age of
// the session.
func compareSession(ctx context.Context, server *lab.Server, exchanges int) error {
	const parts = 10
	pool, err := server.New(ctx)
	if err != nil {
		return err
	}
	cancels, fresh := &arm{name: "cancel_task first", today: true, pool: pool}, &arm{name: "an exchange first", today: true, pool: pool}
	for _, a := range []*arm{cancels, fresh} {
		if err := a.prepare(ctx); err != nil {
			return err
		}
		defer a.conn.Release()
		if a.executed == nil {
			return errors.New("a session is measured by instructions")
		}
	}
	var task uuid.UUID
	if err := pool.QueryRow(ctx, `select c.task_uuid from tasker.create_task('bench', 'diamond') as c`).Scan(&task); err != nil {
		return err
	}
	if _, err := cancels.conn.Exec(ctx, "select tasker.cancel_task($1)", task); err != nil {
		return err
	}

	rows := [][]string{{"exchanges of 1, thousands of instructions each", cancels.name, fresh.name, "ratio"}}
	means := map[*arm][]float64{}
	for part := range parts {
		for _, a := range []*arm{cancels, fresh} {
			mean, err := a.exchangesOf(ctx, exchanges/parts)
			if err != nil {
				return fmt.Errorf("%s: %w", a.name, err)
			}
			means[a] = append(means[a], mean)
		}
		a, b := means[cancels][part], means[fresh][part]
		rows = append(rows, []string{
			fmt.Sprintf("%d to %d", part*exchanges/parts+1, (part+1)*exchanges/parts), fmt.Sprintf("%.0f", a/1000), fmt.Sprintf("%.0f", b/1000), fmt.Sprintf("%.3f", a/b),
		})
	}
	lab.Table(rows)
	// Leave out the first part, which makes the plans.
	later, other := means[cancels][1:], means[fresh][1:]
	grown, against := slices.Max(later)/later[0], median(slices.Clone(later))/median(slices.Clone(other))
	fmt.Printf("the dearest part against the second: %.3f; after cancel_task against without: %.3f\n", grown, against)
	if grown > sessionBound || against > sessionBound {
		return fmt.Errorf("more than %.2f", sessionBound)
	}
	return nil
}

// exchangesOf drains diamonds in about n exchanges, and returns the instructions of one exchange.
func (a *arm) exchangesOf(ctx context.Context, n int) (float64, error) {
	if err := creates("diamond", max(1, n/8))(ctx, a); err != nil {
		return 0, err
	}
	calls := 0
	a.called = func() error { calls++; return nil }
	before, err := a.instructions()
	if err != nil {
		return 0, err
	}
	if _, err := drain(ctx, a, 1); err != nil {
		return 0, err
	}
	after, err := a.instructions()
	return float64(after-before) / float64(calls), err
}
