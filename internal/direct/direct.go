// Package direct calls the SQL functions of workers with arguments that Go code reads better than the parallel arrays of
// [executor.SqlFunctionExecutor]: package worker, the server and the tests use it. Programs use package worker.
package direct

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgjson"
)

// Executor is the direct form with these arguments.
type Executor struct{ *executor.SqlFunctionExecutor }

// New returns an executor that runs on db. If db is a transaction, the calls run in it.
func New(db executor.DBTX) *Executor { return &Executor{executor.New(db)} }

// seconds is a duration as SQL takes it, 0 for none. Fractions are rounded up.
func seconds(d time.Duration) int32 { return int32((d + time.Second - 1) / time.Second) }

// checkJSON says whether PostgreSQL can store raw. An empty raw is null.
func checkJSON(raw json.RawMessage) error {
	if err := pgjson.Check(raw); err != nil {
		return fmt.Errorf("%w: %w", executor.ErrInvalid, err)
	}
	return nil
}

// jsonObject returns raw, or {} if raw is empty.
func jsonObject(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 {
		return json.RawMessage(`{}`), nil
	}
	return raw, checkJSON(raw)
}
