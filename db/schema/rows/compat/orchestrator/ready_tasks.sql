create or replace view tasker.ready_tasks as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as task_name,
  0::integer as priority,
  ''::text as namespace_name,
  0::bigint as ready_steps_count,
  0::numeric as computed_priority,
  'pending'::tasker.task_state as current_state
where false;

comment on view tasker.ready_tasks is
  'Row type: a task for an orchestrator.';
comment on column tasker.ready_tasks.ready_steps_count is
  'The number of steps that may be enqueued now, as their counters show. Steps that are already enqueued do not count.';
comment on column tasker.ready_tasks.computed_priority is
  'The current result of tasker.computed_task_priority.';
