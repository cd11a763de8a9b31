package executor

// HealthScore returns a score from 0 to 1. The share of complete tasks counts for five tenths of the score, the share of tasks that have
// not failed for three tenths, and the share of free connections for two tenths. Without tasks the score is 1.
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
