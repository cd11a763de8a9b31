create or replace view tasker.open_task_counts as
select
  'pending'::tasker.task_state as state,
  0::bigint as tasks,
  0::bigint as open_steps,
  0::bigint as active_steps,
  0::bigint as retrying_steps,
  0::bigint as suspended_steps
where false;

comment on view tasker.open_task_counts is
  'Row type: the number of open tasks in a state, and of their steps. The counters of the tasks give these numbers.';
