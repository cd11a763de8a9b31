package orchestrator

import "github.com/pgtasker/pgtasker/gen"

// Counts has the number of findings for each reason why the loop called orchestrate().
type Counts map[Source]Count

// Count has the findings for one reason.
type Count struct {
	// Looks is how often the loop called orchestrate() for this reason.
	Looks             int64 `json:"looks"`
	RequestsProcessed int64 `json:"requests_processed"`
	TimersFired       int64 `json:"timers_fired"`
	TasksAdvanced     int64 `json:"tasks_advanced"`
	StepsRecovered    int64 `json:"steps_recovered"`
	ResultsProcessed  int64 `json:"results_processed"`
}

// Found returns the total number of findings.
func (c Count) Found() int64 {
	return c.RequestsProcessed + c.TimersFired + c.TasksAdvanced + c.StepsRecovered + c.ResultsProcessed
}

// add adds the findings of a report and returns their number.
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

// attributes returns the findings of a report as attributes for a log, without the counts that are 0.
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
