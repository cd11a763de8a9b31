package ui

import (
	"context"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

// verdict says how the system is: the verdict of tasker health, with the figures beside it.
type verdict struct {
	executor.Verdict
	Groups []incidentGroup
	Counts executor.SystemHealthCounts
	Duties []gen.MaintenanceDuty
}

// readVerdict reads what is wrong, and the figures.
func readVerdict(ctx context.Context, e *executor.SqlFunctionExecutor) (*verdict, error) {
	v := &verdict{}
	var err error
	if v.Verdict, err = executor.ReadVerdict(ctx, e); err != nil {
		return nil, err
	}
	pauses, err := e.ListHandlerPauses(ctx, "")
	if err != nil {
		return nil, err
	}
	v.Groups = groupIncidents(v.Incidents, pauses)
	if v.Counts, err = e.GetSystemHealthCounts(ctx); err != nil {
		return nil, err
	}
	v.Duties, err = e.ListMaintenanceDuties(ctx)
	return v, err
}

// Healthy is whether nothing asks for a person.
func (v *verdict) Healthy() bool { return v.Severity == executor.Well }

// Class is the colour of the verdict.
func (v *verdict) Class() string {
	switch v.Severity {
	case executor.ActNow:
		return "failed"
	case executor.LookToday:
		return "warn"
	}
	return "done"
}
