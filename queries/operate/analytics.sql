-- GetSystemHealthCounts returns how many tasks and steps are in each state, and the state of the engine's own
-- work.
-- name: GetSystemHealthCounts :one
select * from tasker.get_system_health_counts();

-- GetQueueHealth returns for each namespace and lane how long the queue is, and how long the first step of the
-- queue has waited.
-- name: GetQueueHealth :many
select * from tasker.get_queue_health();

-- GetAnalyticsMetrics returns the work of the system since a time, by default in the last hour.
-- name: GetAnalyticsMetrics :one
select * from tasker.get_analytics_metrics(sqlc.narg('since'));

-- GetSlowestSteps returns the handlers whose executions took longest on average. An omitted filter matches all.
-- name: GetSlowestSteps :many
select * from tasker.get_slowest_steps(
  p_since => sqlc.narg('since'),
  p_limit => sqlc.narg('limit'),
  p_namespace => sqlc.narg('namespace'),
  p_task_name => sqlc.narg('task_name'),
  p_version => sqlc.narg('version')
);

-- GetSlowestTasks returns the templates whose tasks took longest on average. An omitted filter matches all.
-- name: GetSlowestTasks :many
select * from tasker.get_slowest_tasks(
  p_since => sqlc.narg('since'),
  p_limit => sqlc.narg('limit'),
  p_namespace => sqlc.narg('namespace'),
  p_task_name => sqlc.narg('task_name'),
  p_version => sqlc.narg('version')
);

-- GetThroughput returns a series for charts: how many tasks started and ended in each period, and how many results
-- steps had.
-- name: GetThroughput :many
select * from tasker.get_throughput(sqlc.narg('since'), sqlc.narg('bucket'), sqlc.narg('namespace'));

-- GetQueueHistory returns a series for charts: how long the queues were in each period.
-- name: GetQueueHistory :many
select * from tasker.get_queue_history(sqlc.narg('since'), sqlc.narg('bucket'), sqlc.narg('namespace'));

-- GetHandlerFailures returns a series for charts: the failures of each handler in each period.
-- name: GetHandlerFailures :many
select * from tasker.get_handler_failures(sqlc.narg('since'), sqlc.narg('bucket'), sqlc.narg('namespace'));

-- GetWorkTotals returns the total work of each namespace. With rolledUp, the totals are as of the last rollup, so that the
-- numbers only grow.
-- name: GetWorkTotals :many
select * from tasker.get_work_totals(@rolled_up);

-- RefreshAnalytics updates totals, rollups and materialised views, and returns the time up to which they count.
-- name: RefreshAnalytics :one
select tasker.refresh_analytics();

-- RebuildAnalytics recounts all tasks and steps. It reads the logs of all partitions.
-- name: RebuildAnalytics :one
select tasker.rebuild_analytics();
