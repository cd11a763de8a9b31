package direct

import (
	"context"

	"github.com/pgtasker/pgtasker/gen"
)

// RunMaintenance does the named duty of maintenance, and returns the duty's row. Without a name it does the duty that has been
// due longest. ran is false if no duty is due or another session is doing it. An orchestrator calls RunMaintenance in its loop
// until ran is false. The executor must not be in a transaction of the caller's, because each call is a transaction. If the
// duty fails, its row has the error in LastError, and the duty runs again when it is next due.
func (e *Executor) RunMaintenance(
	ctx context.Context, duty string,
) (done gen.MaintenanceDuty, ran bool, err error) {
	rows, err := e.Functions.RunMaintenance(ctx, duty)
	if err != nil || len(rows) == 0 {
		return gen.MaintenanceDuty{}, false, err
	}
	return gen.MaintenanceDuty(rows[0]), true, nil
}

// Maintain does the named duties, whether or not they are due. If no duty is named, it does all due duties. It calls
// [Executor.RunMaintenance] until no work is left, and returns the rows of all calls. A duty that takes several transactions
// has several rows. There are no rows if nothing is due or another session is doing the duties. If Maintain returns an error,
// it also returns the rows so far.
func (e *Executor) Maintain(ctx context.Context, duties ...string) ([]gen.MaintenanceDuty, error) {
	var rows []gen.MaintenanceDuty
	run := func(name string) error {
		for {
			duty, ran, err := e.RunMaintenance(ctx, name)
			if err != nil || !ran {
				return err
			}
			rows = append(rows, duty)
			if name != "" && !duty.MoreDue {
				return nil
			}
		}
	}
	if len(duties) == 0 {
		err := run("")
		return rows, err
	}
	for _, name := range duties {
		if err := run(name); err != nil {
			return rows, err
		}
	}
	return rows, nil
}
