// Package judge sums up incidents: the page, tasker health, REST and metrics show the same verdict.
package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

// The severities of incidents.
const (
	ActNow      = "act_now"
	LookToday   = "look_today"
	Information = "information"
	// Well is the verdict if there are no open incidents, or only incidents for information.
	Well = "well"
)

// Verdict is the state of the system: its problems, and the worst problem in a sentence. The page, tasker health, REST and metrics
// show the same verdict.
type Verdict struct {
	// Severity is act_now, look_today or well.
	Severity string `json:"severity"`
	Sentence string `json:"sentence"`
	// Incidents are the open incidents, the most severe first.
	Incidents []gen.IncidentDetail `json:"incidents"`
}

// Judge sums up incidents in the order of executor.SqlFunctionExecutor.ListIncidents.
func Judge(incidents []gen.IncidentDetail) Verdict {
	v := Verdict{Severity: Well, Sentence: "Nothing is wrong.", Incidents: incidents}
	if v.Incidents == nil {
		v.Incidents = []gen.IncidentDetail{}
	}
	open := 0
	for _, i := range incidents {
		if i.Severity != Information && i.PartOf == i.Incident {
			open++
		}
	}
	if len(incidents) == 0 || incidents[0].Severity == Information {
		return v
	}
	v.Severity, v.Sentence = incidents[0].Severity, incidents[0].What+"."
	if open > 1 {
		v.Sentence = fmt.Sprintf("%s; and %d more.", incidents[0].What, open-1)
	}
	return v
}

// ReadVerdict reads the open incidents and sums them up.
func ReadVerdict(ctx context.Context, e *executor.SqlFunctionExecutor) (Verdict, error) {
	incidents, err := e.ListIncidents(ctx, "", 0)
	if err != nil {
		return Verdict{}, err
	}
	return Judge(incidents), nil
}

// FailingFigures are the figures of an incident of kind failing.
type FailingFigures struct {
	Failed         int64     `json:"failed"`
	Retrying       int64     `json:"retrying"`
	FailuresMinute int64     `json:"failures_minute"`
	FailuresHour   int64     `json:"failures_hour"`
	Share          float64   `json:"share"`
	Usual          float64   `json:"usual"`
	LastAt         time.Time `json:"last_at"`
	FirstStep      string    `json:"first_step"`
	FirstError     string    `json:"first_error"`
	// Minutes has the number of failures in each minute of the last hour.
	Minutes   []int64 `json:"minutes"`
	Templates []struct {
		Template string `json:"template"`
		Steps    int64  `json:"steps"`
	} `json:"templates"`
}

// Concentration says in sentences where the failures of a cause concentrate. It names each version, worker or tenant with at
// least half of the failures and a far smaller share of the attempts. It returns "" if nothing was counted.
func Concentration(shares []gen.IncidentShare) string {
	var sentences []string
	counted := false
	for _, s := range shares {
		counted = counted || s.Failures > 0 && s.Attempts > 0
		if s.Failures >= 3 && s.FailedShare >= 0.5 && s.FailedShare-s.AttemptedShare >= 0.25 {
			sentences = append(sentences, fmt.Sprintf("%.0f %% of the failures are of %s %s, which has %.0f %% of the attempts.",
				100*s.FailedShare, s.Dimension, s.Value, 100*s.AttemptedShare))
		}
	}
	if len(sentences) == 0 && counted {
		return "The failures are spread like the attempts over versions, workers and tenants: the cause lies outside of them."
	}
	return strings.Join(sentences, " ")
}

// Failing returns the figures of an incident of kind failing, and false for other kinds.
func Failing(i gen.IncidentDetail) (f FailingFigures, ok bool) {
	if i.Kind != "failing" || json.Unmarshal(i.Figures, &f) != nil {
		return FailingFigures{}, false
	}
	return f, true
}
