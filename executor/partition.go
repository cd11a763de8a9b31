package executor

import (
	"context"
	"errors"

	"github.com/pgtasker/pgtasker/gen"
)

// PartitionMaintenance is what one round of housekeeping has done.
type PartitionMaintenance struct {
	// Made is the number of ranges made.
	Made int `json:"made"`
	// Retention holds an outcome for each range that has reached its age: dropped, held or busy.
	Retention []gen.RetentionOutcome `json:"retention"`
	// Identities is the number of identities deleted.
	Identities int `json:"identities"`
	// Archived is the number of archived messages deleted.
	Archived int `json:"archived"`
	// Analyzed names the tables whose statistics were collected.
	Analyzed []string `json:"analyzed"`
}

// MaintainPartitions does one round of what keeps the run tables from growing: it makes ranges ahead,
// drops those that have reached their age and that nothing holds, collects garbage, and refreshes
// statistics. It makes many short calls, each of which must be a transaction of its own: the executor
// must run on a pool or a connection, never on a transaction. Any number of processes may call it as often
// as they like; one at a time does the work.
//
// A part that fails does not keep the others from running. The error joins those of all parts.
func (e *SqlFunctionExecutor) MaintainPartitions(ctx context.Context) (PartitionMaintenance, error) {
	var done PartitionMaintenance
	return done, errors.Join(
		untilZero(ctx, &done.Made, e.EnsurePartitions),
		e.dropExpired(ctx, &done.Retention),
		untilZero(ctx, &done.Identities, func(ctx context.Context) (int32, error) { return e.GcIdentities(ctx, nil) }),
		untilZero(ctx, &done.Archived, func(ctx context.Context) (int32, error) { return e.GcQueueArchives(ctx, nil) }),
		e.analyzeParents(ctx, &done.Analyzed),
	)
}

// untilZero adds up what a call returns until it returns 0.
func untilZero(ctx context.Context, sum *int, call func(context.Context) (int32, error)) error {
	for {
		n, err := call(ctx)
		if err != nil || n == 0 {
			return err
		}
		*sum += int(n)
	}
}

// dropExpired drops range after range and keeps, of those that stay, what the last call said.
func (e *SqlFunctionExecutor) dropExpired(ctx context.Context, outcomes *[]gen.RetentionOutcome) error {
	for {
		round, err := e.ApplyRetention(ctx)
		if err != nil {
			return err
		}
		dropped := false
		for _, outcome := range round {
			if outcome.Outcome == "dropped" {
				*outcomes = append(*outcomes, outcome)
				dropped = true
			}
		}
		if !dropped {
			*outcomes = append(*outcomes, round...)
			return nil
		}
	}
}

func (e *SqlFunctionExecutor) analyzeParents(ctx context.Context, names *[]string) error {
	for {
		name, err := e.AnalyzeParents(ctx, nil)
		if err != nil || name == "" {
			return err
		}
		*names = append(*names, name)
	}
}
