create or replace view tasker.v_task_state_analysis
  with (security_barrier = true)
as
select
  t.task_uuid,
  t.named_task_uuid,
  n.name as namespace_name,
  k.name as task_name,
  k.version as task_version,
  t.priority,
  t.state as current_state,
  k.configuration as template_configuration,
  t.requested_at,
  coalesce(l.created_at, t.requested_at) as in_state_since,
  round(extract(epoch from tasker.clock() - coalesce(l.created_at, t.requested_at)) / 60, 2) as time_in_state_minutes,
  round(extract(epoch from tasker.clock() - t.requested_at) / 60, 2) as task_age_minutes,
  t.total_steps,
  t.open_steps,
  t.active_steps,
  t.retrying_steps,
  t.suspended_steps,
  t.failed_steps
from tasker.tasks as t
join tasker.named_tasks as k
  on k.named_task_uuid = t.named_task_uuid
join tasker.task_namespaces as n
  on n.task_namespace_uuid = k.task_namespace_uuid
left join tasker.task_transition_log as l
  on l.task_uuid = t.task_uuid
 and l.sort_key = t.transition_count
where not t.complete
  and ((select tasker.bound_namespaces()) is null or n.name = any ((select tasker.bound_namespaces())::text[]));

comment on view tasker.v_task_state_analysis is
  'Open tasks with their states, and since when. A bound caller sees its namespaces only.';

grant select on table tasker.v_task_state_analysis to tasker_orchestrator, tasker_operator, tasker_reader;
