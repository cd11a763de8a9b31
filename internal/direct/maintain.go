package direct

import (
	"context"

	"github.com/pgtasker/pgtasker/gen"
)

// RunMaintenance does the duty of maintenance that has been due longest, or the one named, and returns
// its row. ran is false if nothing is due or another session is at it. An orchestrator calls it in its
// loop until ran is false. The executor must not be in a transaction of the caller's: each call is one.
// A duty that failed says so in its LastError. It is tried again when it is next due.
func (e *Executor) RunMaintenance(
	ctx context.Context, duty string,
) (done gen.MaintenanceDuty, ran bool, err error) {
	rows, err := e.Functions.RunMaintenance(ctx, duty)
	if err != nil || len(rows) == 0 {
		return gen.MaintenanceDuty{}, false, err
	}
	return gen.MaintenanceDuty(rows[0]), true, nil
}

// Maintain does these duties, whether or not they are due, or all that are due if none is
// named, and returns the rows of [Executor.RunMaintenance], which it calls until there is no
// more to do: a duty that takes several transactions has several rows. There are none if nothing is due or
// another session is doing it. With an error it also returns the work done so far.
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
