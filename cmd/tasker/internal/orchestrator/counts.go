package orchestrator

import "github.com/pgtasker/pgtasker/gen"

// Counts are the findings, by the reason of the look.
type Counts map[Source]Count

// Count is the findings for one reason.
type Count struct {
	// Looks is how often it made the loop look.
	Looks             int64 `json:"looks"`
	RequestsProcessed int64 `json:"requests_processed"`
	TimersFired       int64 `json:"timers_fired"`
	TasksAdvanced     int64 `json:"tasks_advanced"`
	StepsRecovered    int64 `json:"steps_recovered"`
	ResultsProcessed  int64 `json:"results_processed"`
}

// Found is how many things that is.
func (c Count) Found() int64 {
	return c.RequestsProcessed + c.TimersFired + c.TasksAdvanced + c.StepsRecovered + c.ResultsProcessed
}

// add counts a report and returns how many things it found.
func (c Counts) add(source Source, report gen.OrchestrationReport) int64 {
	one := Count{
		Looks:             1,
		RequestsProcessed: int64(report.RequestsProcessed),
		TimersFired:       int64(report.TimersFired),
		TasksAdvanced:     int64(report.TasksAdvanced),
		StepsRecovered:    int64(report.StepsRecovered),
		ResultsProcessed:  int64(report.ResultsProcessed),
	}
	sum := c[source]
	sum.Looks += one.Looks
	sum.RequestsProcessed += one.RequestsProcessed
	sum.TimersFired += one.TimersFired
	sum.TasksAdvanced += one.TasksAdvanced
	sum.StepsRecovered += one.StepsRecovered
	sum.ResultsProcessed += one.ResultsProcessed
	c[source] = sum
	return one.Found()
}

// attributes names the findings of a report, for a log. Empty counts are left out.
func attributes(report gen.OrchestrationReport) (pairs []any) {
	for _, n := range []struct {
		name  string
		count int32
	}{
		{"requests_processed", report.RequestsProcessed},
		{"timers_fired", report.TimersFired},
		{"tasks_advanced", report.TasksAdvanced},
		{"steps_recovered", report.StepsRecovered},
		{"results_processed", report.ResultsProcessed},
	} {
		if n.count > 0 {
			pairs = append(pairs, n.name, n.count)
		}
	}
	return pairs
}
