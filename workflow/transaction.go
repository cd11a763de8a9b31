package workflow

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/worker"
)

// The functions of the following steps get the transaction in which their result is recorded. The writes of such a function in the
// transaction happen exactly once. The transaction is rolled back if the function fails, or if meanwhile its step was cancelled or another
// worker took the step. [worker.HandleTx] describes the rules.

// RootTx is [Root] for a function with a transaction:
//
//	booked := workflow.RootTx(order, "book", func(ctx context.Context, tx pgx.Tx, job *workflow.Job[Order]) (id int64, err error) {
//		err = tx.QueryRow(ctx, "insert into bookings (amount) values ($1) returning id", job.Input.Amount).Scan(&id)
//		return id, err
//	})
func RootTx[C, R any](
	w *Workflow[C], name string, f func(context.Context, pgx.Tx, *Job[C]) (R, error), options ...StepOption,
) Step[C, R] {
	return addTx(w, name, f, nil, options, func(ctx context.Context, tx pgx.Tx, job *Job[C], _ results) (R, error) {
		return f(ctx, tx, job)
	})
}

// After1Tx is [After1] for a function with a transaction.
func After1Tx[C, A, R any](
	w *Workflow[C], name string, a Step[C, A],
	f func(context.Context, pgx.Tx, *Job[C], A) (R, error), options ...StepOption,
) Step[C, R] {
	return addTx(w, name, f, []parent{a.parent}, options,
		func(ctx context.Context, tx pgx.Tx, job *Job[C], from results) (none R, err error) {
			av := take(a, from, &err)
			if err != nil {
				return none, err
			}
			return f(ctx, tx, job, av)
		})
}

// After2Tx is [After2] for a function with a transaction.
func After2Tx[C, A, B, R any](
	w *Workflow[C], name string, a Step[C, A], b Step[C, B],
	f func(context.Context, pgx.Tx, *Job[C], A, B) (R, error), options ...StepOption,
) Step[C, R] {
	return addTx(w, name, f, []parent{a.parent, b.parent}, options,
		func(ctx context.Context, tx pgx.Tx, job *Job[C], from results) (none R, err error) {
			av, bv := take(a, from, &err), take(b, from, &err)
			if err != nil {
				return none, err
			}
			return f(ctx, tx, job, av, bv)
		})
}

// After3Tx is [After3] for a function with a transaction.
func After3Tx[C, A, B, D, R any](
	w *Workflow[C], name string, a Step[C, A], b Step[C, B], d Step[C, D],
	f func(context.Context, pgx.Tx, *Job[C], A, B, D) (R, error), options ...StepOption,
) Step[C, R] {
	return addTx(w, name, f, []parent{a.parent, b.parent, d.parent}, options,
		func(ctx context.Context, tx pgx.Tx, job *Job[C], from results) (none R, err error) {
			av, bv, dv := take(a, from, &err), take(b, from, &err), take(d, from, &err)
			if err != nil {
				return none, err
			}
			return f(ctx, tx, job, av, bv, dv)
		})
}

// After4Tx is [After4] for a function with a transaction.
func After4Tx[C, A, B, D, E, R any](
	w *Workflow[C], name string, a Step[C, A], b Step[C, B], d Step[C, D], e Step[C, E],
	f func(context.Context, pgx.Tx, *Job[C], A, B, D, E) (R, error), options ...StepOption,
) Step[C, R] {
	return addTx(w, name, f, []parent{a.parent, b.parent, d.parent, e.parent}, options,
		func(ctx context.Context, tx pgx.Tx, job *Job[C], from results) (none R, err error) {
			av, bv, dv, ev := take(a, from, &err), take(b, from, &err), take(d, from, &err), take(e, from, &err)
			if err != nil {
				return none, err
			}
			return f(ctx, tx, job, av, bv, dv, ev)
		})
}

// DoTx is [Do] for a function with a transaction.
func DoTx[C any](
	w *Workflow[C], name string, after Of[C], f func(context.Context, pgx.Tx, *Job[C]) error, options ...StepOption,
) Step[C, struct{}] {
	return addTx(w, name, f, orders(after), options, func(ctx context.Context, tx pgx.Tx, job *Job[C], _ results) (struct{}, error) {
		return struct{}{}, f(ctx, tx, job)
	})
}

// Do1Tx is [Do1] for a function with a transaction.
func Do1Tx[C, A any](
	w *Workflow[C], name string, a Step[C, A], f func(context.Context, pgx.Tx, *Job[C], A) error, options ...StepOption,
) Step[C, struct{}] {
	return addTx(w, name, f, []parent{a.parent}, options,
		func(ctx context.Context, tx pgx.Tx, job *Job[C], from results) (none struct{}, err error) {
			av := take(a, from, &err)
			if err != nil {
				return none, err
			}
			return none, f(ctx, tx, job, av)
		})
}

// EachTx is [Each] for a function with a transaction: each element has its own transaction.
func EachTx[C, E, R any](
	w *Workflow[C], name string, list Step[C, []E],
	f func(context.Context, pgx.Tx, *Job[C], E) (R, error), options ...StepOption,
) Step[C, []R] {
	n := each[C, E, R](w, name, list, f != nil, nil, options, eachTxHandler(f))
	return Step[C, []R]{parent: parent{graph: w.graph, own: []edge{{node: n}}}, read: readOf[[]R](n)}
}

// EachAllowingTx is [EachAllowing] for a function with a transaction.
func EachAllowingTx[C, E, R any](
	w *Workflow[C], name string, list Step[C, []E], failures int,
	f func(context.Context, pgx.Tx, *Job[C], E) (R, error), options ...StepOption,
) Step[C, []*R] {
	n := each[C, E, R](w, name, list, f != nil, new(int64(failures)), options, eachTxHandler(f))
	return Step[C, []*R]{parent: parent{graph: w.graph, own: []edge{{node: n}}}, read: readOf[[]*R](n)}
}

func eachTxHandler[C, E, R any](f func(context.Context, pgx.Tx, *Job[C], E) (R, error)) func(n *node, to *worker.Worker, handler string) {
	return func(n *node, to *worker.Worker, handler string) {
		worker.HandleTx(to, handler, func(ctx context.Context, tx pgx.Tx, job *worker.Job[C]) (result R, err error) {
			element, err := elementOf[E](n, job.Inputs)
			if err != nil {
				return result, err
			}
			result, err = f(ctx, tx, job, element)
			return listed(n, result), err
		}, append(n.options, code(f))...)
	}
}

// CompensateTx is [Compensate] for a function with a transaction. The writes that undo the step happen exactly once.
func CompensateTx[C, R any](step Step[C, R], f func(ctx context.Context, tx pgx.Tx, job *Job[C], undo Undoing[R]) error) {
	compensate(step.parent, undoTxHandler(f))
}

// CompensateEachTx is [CompensateEach] for a function with a transaction.
func CompensateEachTx[C, R any](each Step[C, []R], f func(ctx context.Context, tx pgx.Tx, job *Job[C], undo Undoing[R]) error) {
	compensate(each.parent, undoTxHandler(f))
}

func undoTxHandler[C, R any](
	f func(ctx context.Context, tx pgx.Tx, job *Job[C], undo Undoing[R]) error,
) func(n *node, to *worker.Worker, handler string) {
	return func(n *node, to *worker.Worker, handler string) {
		worker.HandleTx(to, handler, func(ctx context.Context, tx pgx.Tx, job *worker.Job[C]) (none struct{}, err error) {
			undo, err := undoing[R](&job.Step)
			if err != nil {
				return none, err
			}
			return none, f(ctx, tx, job, undo)
		}, append(n.options, code(f))...)
	}
}

// addTx is add for a function with a transaction.
func addTx[C, R any](
	w *Workflow[C], name string, f any, parents []parent, options []StepOption,
	call func(ctx context.Context, tx pgx.Tx, job *Job[C], from results) (R, error),
) Step[C, R] {
	return addNode[C, R](w, name, f, parents, options, func(n *node, to *worker.Worker, handler string) {
		worker.HandleTx(to, handler, func(ctx context.Context, tx pgx.Tx, job *worker.Job[C]) (R, error) {
			result, err := call(ctx, tx, job, parentsOf(&job.Step))
			return listed(n, result), err
		}, append(n.options, code(f))...)
	})
}
