package executor

import (
	"context"
)

// HealthScore returns one number from 0 to 1: half the share of tasks that are complete, three tenths the
// share that has not failed, two tenths the share of connections that is free. Without tasks it is 1.
func (c SystemHealthCounts) HealthScore() float64 {
	if c.TotalTasks == 0 {
		return 1
	}
	success := float64(c.CompleteTasks) / float64(c.TotalTasks)
	return 0.5*success + 0.3*(1-c.errorRate()) + 0.2*(1-min(c.connectionPressure(), 1))
}

// IsUnderHeavyLoad reports whether more than four fifths of the connections are in use, or more than a
// fifth of the tasks have failed.
func (c SystemHealthCounts) IsUnderHeavyLoad() bool {
	return c.connectionPressure() > 0.8 || c.errorRate() > 0.2
}

// OpenTasks returns how many tasks have not ended.
func (c SystemHealthCounts) OpenTasks() int64 {
	return c.TotalTasks - c.CompleteTasks - c.ErrorTasks - c.CancelledTasks - c.ResolvedManuallyTasks
}

func (c SystemHealthCounts) errorRate() float64 {
	if c.TotalTasks == 0 {
		return 0
	}
	return float64(c.ErrorTasks) / float64(c.TotalTasks)
}

func (c SystemHealthCounts) connectionPressure() float64 {
	if c.MaxConnections == 0 {
		return 0
	}
	return float64(c.ActiveConnections) / float64(c.MaxConnections)
}

// RunMaintenance does the duty of maintenance that has been due longest, or the one named, and returns
// its row; ran is false if nothing is due or another session is at it. An orchestrator calls it in its
// loop until ran is false. The executor must not be in a transaction of the caller's: each call is one.
// A duty that failed says so in its LastError; it is tried again when it is next due.
func (e *SqlFunctionExecutor) RunMaintenance(
	ctx context.Context, duty string,
) (done MaintenanceDuty, ran bool, err error) {
	rows, err := e.q.RunMaintenance(ctx, optional(duty))
	if err != nil || len(rows) == 0 {
		return MaintenanceDuty{}, false, err
	}
	return MaintenanceDuty(rows[0]), true, nil
}

// Maintain does these duties, whether or not they are due, or all that are due if none is
// named, and returns the rows of [SqlFunctionExecutor.RunMaintenance], which it calls until there is no
// more to do: a duty that takes several transactions has several rows. There are none if nothing is due or
// another session is doing it. With an error it also returns the work done so far.
func (e *SqlFunctionExecutor) Maintain(ctx context.Context, duties ...string) ([]MaintenanceDuty, error) {
	var rows []MaintenanceDuty
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
