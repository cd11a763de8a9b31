package metrics

import (
	"math"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

// kind says whether a metric only grows.
type kind int

const (
	gauge kind = iota
	counter
)

// family is one metric: its name, its help, and how it is computed from a reading.
type family struct {
	name   string // As in Prometheus; in OpenTelemetry without prefix and suffix, with dots.
	unit   string // UCUM, for OpenTelemetry.
	help   string
	kind   kind
	labels []string
	read   func(reading) []sample
}

// sample is a value with the values of the family's labels.
type sample struct {
	value  float64
	labels []string
}

// families are all metrics, in the order in which they are shown.
var families = []family{
	{"pgtasker_tasks", "{task}", "Tasks in each state: open ones now, ended ones as of the last rollup.", gauge, []string{"state"}, taskStates},
	{"pgtasker_steps", "{step}", "Steps in each state: of open tasks now, ended ones as of the last rollup.", gauge, []string{"state"}, stepStates},
	{"pgtasker_health_score", "1", "Health of the system as one number, 0 to 1.", gauge, nil, one(func(r reading) float64 { return r.health.HealthScore() })},

	{"pgtasker_incidents", "{incident}", "Open incidents by severity: act_now, look_today, information.", gauge, []string{"severity", "kind", "namespace"}, incidents},
	{"pgtasker_verdict", "1", "The verdict of tasker health: 0 well, 1 look today, 2 act now.", gauge, nil, one(verdict)},

	{"pgtasker_queue_ready_steps", "{step}", "Steps that a worker could claim now.", gauge, []string{"namespace", "lane"}, queues(func(q gen.QueueHealth) float64 { return float64(q.ReadySteps) })},
	{"pgtasker_queue_leased_steps", "{step}", "Steps under a lease, or released with a delay.", gauge, []string{"namespace", "lane"}, queues(func(q gen.QueueHealth) float64 { return float64(q.LeasedSteps) })},
	{"pgtasker_queue_oldest_ready_seconds", "s", "How long the oldest ready step has waited.", gauge, []string{"namespace", "lane"}, queues(func(q gen.QueueHealth) float64 { return q.OldestReadySeconds })},
	{"pgtasker_queue_oldest_served_seconds", "s", "How long the oldest ready step has waited for a worker that runs: steps whose handler no running worker has do not count, unless no worker runs.", gauge, []string{"namespace", "lane"}, queues(func(q gen.QueueHealth) float64 { return q.OldestServedSeconds })},
	{"pgtasker_unserved_oldest_seconds", "s", "How long the oldest ready step has waited for a handler that no running worker has.", gauge, []string{"namespace", "handler"}, unserved},
	{"pgtasker_namespace_paused", "1", "1 while the namespace is paused.", gauge, []string{"namespace"}, paused},

	{"pgtasker_schedule_late_seconds", "s", "How long a schedule's next tick has been due.", gauge, []string{"namespace", "schedule"}, schedules(func(r reading, s gen.Schedule) float64 { return r.late(s) })},
	{"pgtasker_schedule_failures", "{attempt}", "How often in a row a schedule's task could not be created.", gauge, []string{"namespace", "schedule"}, schedules(func(_ reading, s gen.Schedule) float64 { return float64(s.Failures) })},
	{"pgtasker_schedule_running_tasks", "{task}", "Tasks of a schedule that had not ended when it was last checked, at most 100.", gauge, []string{"namespace", "schedule"}, schedules(func(_ reading, s gen.Schedule) float64 { return float64(len(s.RunningTasks)) })},

	{"pgtasker_limit_in_use_steps", "{step}", "Steps that run under a limit.", gauge, []string{"namespace", "limit"}, limits(func(l gen.LimitDetail) float64 { return float64(l.InUse) })},
	{"pgtasker_limit_waiting_steps", "{step}", "Steps that wait in the queue and name the limit.", gauge, []string{"namespace", "limit"}, limits(func(l gen.LimitDetail) float64 { return float64(l.Waiting) })},
	{"pgtasker_limit_oldest_waiting_seconds", "s", "How long the oldest step that names the limit has waited.", gauge, []string{"namespace", "limit"}, limits(func(l gen.LimitDetail) float64 { return l.OldestSeconds })},
	{"pgtasker_limit_keys", "{key}", "Keys of the limit with a step that waits or runs.", gauge, []string{"namespace", "limit"}, limits(func(l gen.LimitDetail) float64 { return float64(l.Keys) })},
	{"pgtasker_limit_concurrency", "{step}", "How many steps of one key may run at once; infinite without a bound.", gauge, []string{"namespace", "limit"}, limits(concurrency)},

	{"pgtasker_waiting_tasks", "{task}", "Tasks that wait for an orchestrator.", gauge, nil, one(func(r reading) float64 { return float64(r.health.WaitingTasks) })},
	{"pgtasker_waiting_oldest_seconds", "s", "How long the oldest task has waited for an orchestrator.", gauge, nil, one(func(r reading) float64 { return r.health.OldestWaitingSeconds })},

	{"pgtasker_tasks_started_total", "{task}", "Tasks that were started.", counter, []string{"namespace"}, started},
	{"pgtasker_tasks_ended_total", "{task}", "Tasks that ended, by outcome.", counter, []string{"namespace", "outcome"}, ended},
	{"pgtasker_step_results_total", "{result}", "Results of attempts, by outcome.", counter, []string{"namespace", "outcome"}, results},
	{"pgtasker_step_execution_seconds_total", "s", "Execution time of attempts, as workers reported it.", counter, []string{"namespace"}, execution},
	{"pgtasker_step_retries_total", "{retry}", "Attempts that failed and are followed by a retry.", counter, nil, one(func(r reading) float64 { return float64(r.health.RetriesTotal) })},
	{"pgtasker_leases_lost_total", "{lease}", "Leases that ended without a result, because a worker was lost.", counter, nil, one(func(r reading) float64 { return float64(r.health.LostLeasesTotal) })},

	{"pgtasker_handler_duration_seconds", "s", "Duration of the attempts that ended in the last 15 minutes, by percentile: 50, 95, 99.", gauge, []string{"namespace", "handler", "percentile"}, handlerDurations},
	{"pgtasker_handler_results", "{result}", "Results of the last 15 minutes, by handler.", gauge, []string{"namespace", "handler", "outcome"}, handlerResults},
	{"pgtasker_template_duration_seconds", "s", "Duration, from start to end, of the tasks that ended in the last 15 minutes, by percentile: 50, 95, 99.", gauge, []string{"namespace", "template", "version", "percentile"}, templateDurations},
	{"pgtasker_template_ended_tasks", "{task}", "Tasks that ended in the last 15 minutes, by template.", gauge, []string{"namespace", "template", "version", "outcome"}, templateTasks},

	{"pgtasker_dlq_entries", "{entry}", "Investigations in the dead-letter queue, by reason and status.", gauge, []string{"reason", "status"}, dlq},
	{"pgtasker_dlq_pending_entries", "{entry}", "Open investigations in the dead-letter queue.", gauge, nil, one(func(r reading) float64 { return float64(r.health.PendingDLQEntries) })},
	{"pgtasker_broadcasts_kept", "{event}", "Broadcast events that are kept, counted up to 100,000.", gauge, []string{"namespace"}, broadcasts(func(b gen.BroadcastHealth) float64 { return float64(b.KeptEvents) })},
	{"pgtasker_broadcasts_undelivered", "{event}", "Broadcast events that have not been delivered to all steps that wait for them.", gauge, []string{"namespace"}, broadcasts(func(b gen.BroadcastHealth) float64 { return float64(b.UndeliveredEvents) })},
	{"pgtasker_broadcasts_oldest_undelivered_seconds", "s", "Age of the oldest broadcast event that has not been delivered to all steps that wait for it.", gauge, []string{"namespace"}, broadcasts(func(b gen.BroadcastHealth) float64 { return b.OldestUndeliveredSeconds })},
	{"pgtasker_broadcasts_busy_steps", "{step}", "Steps whose task was locked when an event was to be delivered to them; delivery is tried again.", gauge, []string{"namespace"}, broadcasts(func(b gen.BroadcastHealth) float64 { return float64(b.BusyReceivers) })},
	{"pgtasker_broadcasts_waits", "{wait}", "Waits of steps for broadcast events, counted up to 100,000.", gauge, []string{"namespace"}, broadcasts(func(b gen.BroadcastHealth) float64 { return float64(b.Waits) })},
	{"pgtasker_diverged_steps", "{step}", "Suspended steps whose durable function no longer makes the calls that it has kept.", gauge, nil, one(func(r reading) float64 { return float64(r.health.DivergedSteps) })},
	{"pgtasker_ending_tokens", "{token}", "Tokens of tasker serve that end within a week.", gauge, nil, one(func(r reading) float64 { return float64(r.health.EndingTokens) })},
	{"pgtasker_failing_timers", "{timer}", "Timers whose firing failed and is tried again each minute.", gauge, nil, one(func(r reading) float64 { return float64(r.health.FailingTimers) })},
	{"pgtasker_signals", "{signal}", "Signals that no step has taken, of the newest 10,000: kept by open tasks, or unused by tasks that have ended.", gauge, []string{"use"}, signals},

	{"pgtasker_subscription_lag_seconds", "s", "How far the subscription's position in the feed is behind the present.", gauge, []string{"subscription"}, subscriptions(func(s gen.SubscriptionDetail) float64 { return s.LagSeconds })},
	{"pgtasker_subscription_delivered_total", "{event}", "Events that were delivered to the subscription.", counter, []string{"subscription"}, subscriptions(func(s gen.SubscriptionDetail) float64 { return float64(s.Delivered) })},
	{"pgtasker_subscription_dead_total", "{event}", "Events whose delivery was given up.", counter, []string{"subscription"}, subscriptions(func(s gen.SubscriptionDetail) float64 { return float64(s.Dead) })},
	{"pgtasker_subscription_failures", "{failure}", "How often in a row the next event could not be delivered.", gauge, []string{"subscription"}, subscriptions(func(s gen.SubscriptionDetail) float64 { return float64(s.Failures) })},
	{"pgtasker_subscription_behind", "1", "1 if retention dropped events that the subscription had not read.", gauge, []string{"subscription"}, subscriptions(func(s gen.SubscriptionDetail) float64 { return truth(s.Behind) })},

	{"pgtasker_connections", "{connection}", "Connections to all databases of the server.", gauge, nil, one(func(r reading) float64 { return float64(r.health.ActiveConnections) })},
	{"pgtasker_connections_max", "{connection}", "Connections that the server allows.", gauge, nil, one(func(r reading) float64 { return float64(r.health.MaxConnections) })},
	{"pgtasker_oldest_transaction_seconds", "s", "Age of the oldest open transaction that the engine's owner may see.", gauge, nil, one(func(r reading) float64 { return r.health.OldestTransactionSeconds })},
	{"pgtasker_partitions_ahead_seconds", "s", "How far into the future partitions exist.", gauge, nil, one(partitionsAhead)},
	{"pgtasker_rollup_age_seconds", "s", "Age of the totals that the counters are read from.", gauge, nil, one(func(r reading) float64 { return r.since(r.health.RolledUpUntil) })},

	{"pgtasker_maintenance_runs_total", "{run}", "How often a maintenance duty ran.", counter, []string{"duty"}, duties(func(_ reading, d gen.MaintenanceDuty) float64 { return float64(d.Runs) })},
	{"pgtasker_maintenance_failures_total", "{run}", "How often a maintenance duty failed.", counter, []string{"duty"}, duties(func(_ reading, d gen.MaintenanceDuty) float64 { return float64(d.Failures) })},
	{"pgtasker_maintenance_age_seconds", "s", "Time since the maintenance duty last ran.", gauge, []string{"duty"}, duties(func(r reading, d gen.MaintenanceDuty) float64 { return r.since(d.LastFinishedAt) })},
	{"pgtasker_maintenance_failed", "1", "1 if the maintenance duty's last run failed.", gauge, []string{"duty"}, duties(func(_ reading, d gen.MaintenanceDuty) float64 { return truth(d.LastError != nil) })},
}

func one(value func(reading) float64) func(reading) []sample {
	return func(r reading) []sample { return []sample{{value: value(r)}} }
}

func taskStates(r reading) []sample {
	h := r.health
	return []sample{
		{float64(h.PendingTasks), []string{"pending"}},
		{float64(h.InitializingTasks), []string{"initializing"}},
		{float64(h.EnqueuingStepsTasks), []string{"enqueuing_steps"}},
		{float64(h.StepsInProcessTasks), []string{"steps_in_process"}},
		{float64(h.EvaluatingResultsTasks), []string{"evaluating_results"}},
		{float64(h.WaitingForDependenciesTasks), []string{"waiting_for_dependencies"}},
		{float64(h.WaitingForRetryTasks), []string{"waiting_for_retry"}},
		{float64(h.BlockedByFailuresTasks), []string{"blocked_by_failures"}},
		{float64(h.CompleteTasks), []string{"complete"}},
		{float64(h.ErrorTasks), []string{"error"}},
		{float64(h.CancelledTasks), []string{"cancelled"}},
		{float64(h.ResolvedManuallyTasks), []string{"resolved_manually"}},
	}
}

func stepStates(r reading) []sample {
	h := r.health
	return []sample{
		{float64(h.PendingSteps), []string{"pending"}},
		{float64(h.EnqueuedSteps), []string{"enqueued"}},
		{float64(h.InProgressSteps), []string{"in_progress"}},
		{float64(h.EnqueuedForOrchestrationSteps), []string{"enqueued_for_orchestration"}},
		{float64(h.EnqueuedAsErrorForOrchestrationSteps), []string{"enqueued_as_error_for_orchestration"}},
		{float64(h.WaitingForRetrySteps), []string{"waiting_for_retry"}},
		{float64(h.SuspendedSteps), []string{"suspended"}},
		{float64(h.CompleteSteps), []string{"complete"}},
		{float64(h.ErrorSteps), []string{"error"}},
		{float64(h.CancelledSteps), []string{"cancelled"}},
		{float64(h.ResolvedManuallySteps), []string{"resolved_manually"}},
	}
}

func queues(value func(gen.QueueHealth) float64) func(reading) []sample {
	return func(r reading) []sample {
		samples := make([]sample, len(r.queues))
		for i, q := range r.queues {
			samples[i] = sample{value(q), []string{q.NamespaceName, q.Lane}}
		}
		return samples
	}
}

func schedules(value func(reading, gen.Schedule) float64) func(reading) []sample {
	return func(r reading) []sample {
		samples := make([]sample, len(r.schedules))
		for i, s := range r.schedules {
			samples[i] = sample{value(r, s), []string{s.Namespace, s.Schedule}}
		}
		return samples
	}
}

func limits(value func(gen.LimitDetail) float64) func(reading) []sample {
	return func(r reading) []sample {
		samples := make([]sample, len(r.limits))
		for i, l := range r.limits {
			samples[i] = sample{value(l), []string{l.Namespace, l.Name}}
		}
		return samples
	}
}

func concurrency(l gen.LimitDetail) float64 {
	if l.Concurrency == nil {
		return math.Inf(1)
	}
	return float64(*l.Concurrency)
}

func unserved(r reading) []sample {
	samples := make([]sample, len(r.unserved))
	for i, step := range r.unserved {
		samples[i] = sample{max(r.at.Sub(step.ReadySince).Seconds(), 0), []string{step.Namespace, step.Handler}}
	}
	return samples
}

func paused(r reading) (samples []sample) {
	last := ""
	for _, q := range r.queues {
		if q.NamespaceName != last {
			samples = append(samples, sample{truth(q.Paused), []string{q.NamespaceName}})
		}
		last = q.NamespaceName
	}
	return samples
}

func started(r reading) (samples []sample) {
	for _, t := range r.totals {
		samples = append(samples, sample{float64(t.TasksStarted), []string{t.NamespaceName}})
	}
	return samples
}

func ended(r reading) (samples []sample) {
	for _, t := range r.totals {
		samples = append(
			samples,
			sample{float64(t.TasksCompleted), []string{t.NamespaceName, "complete"}},
			sample{float64(t.TasksFailed), []string{t.NamespaceName, "error"}},
			sample{float64(t.TasksCancelled), []string{t.NamespaceName, "cancelled"}},
			sample{float64(t.TasksResolved), []string{t.NamespaceName, "resolved_manually"}},
		)
	}
	return samples
}

func results(r reading) (samples []sample) {
	for _, t := range r.totals {
		samples = append(
			samples,
			sample{float64(t.StepResults - t.StepFailures), []string{t.NamespaceName, "success"}},
			sample{float64(t.StepFailures), []string{t.NamespaceName, "failure"}},
		)
	}
	return samples
}

func execution(r reading) (samples []sample) {
	for _, t := range r.totals {
		samples = append(samples, sample{t.ExecutionSeconds, []string{t.NamespaceName}})
	}
	return samples
}

func handlerDurations(r reading) (samples []sample) {
	for _, h := range r.handlers {
		for _, p := range percentiles(h.P50DurationSeconds, h.P95DurationSeconds, h.P99DurationSeconds) {
			samples = append(samples, sample{p.seconds, []string{h.namespace, h.StepName, p.name}})
		}
	}
	return samples
}

func handlerResults(r reading) (samples []sample) {
	for _, h := range r.handlers {
		samples = append(
			samples,
			sample{float64(h.ExecutionCount - h.ErrorCount), []string{h.namespace, h.StepName, "success"}},
			sample{float64(h.ErrorCount), []string{h.namespace, h.StepName, "failure"}},
		)
	}
	return samples
}

func templateDurations(r reading) (samples []sample) {
	for _, t := range r.templates {
		for _, p := range percentiles(t.P50DurationSeconds, t.P95DurationSeconds, t.P99DurationSeconds) {
			samples = append(samples, sample{p.seconds, []string{t.NamespaceName, t.TaskName, t.TaskVersion, p.name}})
		}
	}
	return samples
}

func templateTasks(r reading) (samples []sample) {
	for _, t := range r.templates {
		samples = append(
			samples,
			sample{float64(t.ExecutionCount - t.ErrorCount), []string{t.NamespaceName, t.TaskName, t.TaskVersion, "other"}},
			sample{float64(t.ErrorCount), []string{t.NamespaceName, t.TaskName, t.TaskVersion, "error"}},
		)
	}
	return samples
}

type percentile struct {
	name    string
	seconds float64
}

func percentiles(p50, p95, p99 float64) []percentile {
	return []percentile{{"50", p50}, {"95", p95}, {"99", p99}}
}

func subscriptions(value func(gen.SubscriptionDetail) float64) func(reading) []sample {
	return func(r reading) (samples []sample) {
		for _, s := range r.subscriptions {
			samples = append(samples, sample{value(s), []string{s.Subscription}})
		}
		return samples
	}
}

func broadcasts(value func(gen.BroadcastHealth) float64) func(reading) []sample {
	return func(r reading) []sample {
		samples := make([]sample, len(r.broadcasts))
		for i, b := range r.broadcasts {
			samples[i] = sample{value(b), []string{b.NamespaceName}}
		}
		return samples
	}
}

func signals(r reading) []sample {
	return []sample{{float64(r.health.KeptSignals), []string{"kept"}}, {float64(r.health.UnusedSignals), []string{"unused"}}}
}

func dlq(r reading) (samples []sample) {
	for _, d := range r.dlq {
		samples = append(
			samples,
			sample{float64(d.Pending), []string{d.DLQReason, "pending"}},
			sample{float64(d.ManuallyResolved), []string{d.DLQReason, executor.DLQManuallyResolved}},
			sample{float64(d.PermanentlyFailed), []string{d.DLQReason, executor.DLQPermanentlyFailed}},
			sample{float64(d.Cancelled), []string{d.DLQReason, executor.DLQCancelled}},
		)
	}
	return samples
}

func duties(value func(reading, gen.MaintenanceDuty) float64) func(reading) []sample {
	return func(r reading) []sample {
		samples := make([]sample, len(r.duties))
		for i, d := range r.duties {
			samples[i] = sample{value(r, d), []string{d.Duty}}
		}
		return samples
	}
}

func partitionsAhead(r reading) float64 {
	if r.health.PartitionsUntil == nil {
		return 0
	}
	return max(r.health.PartitionsUntil.Sub(r.at).Seconds(), 0)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
