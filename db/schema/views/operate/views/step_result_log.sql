create or replace view tasker.step_result_log as
select
  l.task_uuid,
  l.step_no,
  l.sort_key as row_key,
  l.created_at as recorded_at,
  -- A caller that sends another worker's result names that worker in the metadata, which were checked with the result.
  coalesce((l.metadata ->> 'worker_uuid')::uuid, l.worker_uuid) as worker_uuid,
  (l.metadata ->> 'correlation_id')::uuid as correlation_id,
  l.path < 1000 as success,
  l.execution_time_ms::bigint as execution_time_ms,
  l.path
from tasker.step_log as l
-- The paths are computed once, instead of a look-up for each row of the log.
where l.path = any (array(
        select u.path from tasker.step_log_paths as u where u.event in ('EnqueueForOrchestration', 'CompleteManually')
      ));

comment on view tasker.step_result_log is
  'The rows of the step log whose path records a result, for queries that count results or select some of them. This view is the only place that lists the events that record a result.';
comment on column tasker.step_result_log.row_key is
  'The key of the log row, by which a reader finds it.';
comment on column tasker.step_result_log.recorded_at is
  'The time when the log row was written. A condition on a range of this column uses the log''s index.';
comment on column tasker.step_result_log.success is
  'Whether the result is a success. Paths from 1,000 on are the paths of failed results, and the log has an index of their rows.';
