package executor

import (
	"context"
	"iter"

	"github.com/pgtasker/pgtasker/gen"
)

// SQLSteps are steps that a function of the database runs, as a role that is bound for their namespace. See [Client.SQLSteps].
type SQLSteps struct{ e *SqlFunctionExecutor }

// Bind binds the role that the SQL steps of a namespace run as, which must have been granted to tasker_owner. It reports whether
// another role was bound before, or none.
func (s SQLSteps) Bind(ctx context.Context, namespace, role string, by By) (bool, error) {
	return s.e.BindSQLRole(ctx, namespace, role, by)
}

// Unbind takes the role of a namespace's SQL steps back: they wait until a role is bound again.
func (s SQLSteps) Unbind(ctx context.Context, namespace string, by By) (bool, error) {
	return s.e.UnbindSQLRole(ctx, namespace, by)
}

// Functions lists the functions that steps of a namespace name, or of all if it is empty, and why their steps cannot run.
func (s SQLSteps) Functions(ctx context.Context, namespace string) iter.Seq2[gen.SQLFunction, error] {
	return one(func() ([]gen.SQLFunction, error) { return s.e.ListSQLFunctions(ctx, namespace) })
}

// Run runs at most a number of SQL steps of these namespaces, nil for all. The client must belong to a transaction, which
// commits the writes of the functions together with their results.
func (s SQLSteps) Run(ctx context.Context, most int32, namespaces []string) (gen.SQLRun, error) {
	return s.e.RunSQLSteps(ctx, most, namespaces)
}
