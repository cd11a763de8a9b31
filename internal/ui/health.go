package ui

import (
	"context"
	"slices"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/judge"
)

// verdict is the state of the system: the verdict of tasker health, with the figures beside it.
type verdict struct {
	judge.Verdict
	Groups []incidentGroup
	Counts executor.SystemHealthCounts
	Duties []gen.MaintenanceDuty
}

// readVerdict reads the problems and the figures. With a namespace the incidents of other namespaces are left out.
// Incidents of the whole database stay.
func readVerdict(ctx context.Context, e *executor.SqlFunctionExecutor, namespace string) (*verdict, error) {
	v := &verdict{}
	incidents, err := e.ListIncidents(ctx, "", 0)
	if err != nil {
		return nil, err
	}
	v.Verdict = judge.Judge(slices.DeleteFunc(incidents, func(i gen.IncidentDetail) bool {
		return namespace != "" && i.Namespace != nil && *i.Namespace != namespace
	}))
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

// Healthy says whether nothing needs a person.
func (v *verdict) Healthy() bool { return v.Severity == judge.Well }

// Class is the colour of the verdict.
func (v *verdict) Class() string {
	switch v.Severity {
	case judge.ActNow:
		return "failed"
	case judge.LookToday:
		return "warn"
	}
	return "done"
}
