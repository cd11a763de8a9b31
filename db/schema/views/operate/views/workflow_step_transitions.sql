create or replace view tasker.workflow_step_transitions
  with (security_barrier = true)
as
select
  tasker.transition_uuid(l.task_uuid, l.step_no, l.sort_key - u.after) as workflow_step_transition_uuid,
  s.workflow_step_uuid,
  l.task_uuid,
  l.step_no,
  u.to_state,
  u.from_state,
  u.event,
  l.claim_no,
  case when u.position = 1 then l.worker_uuid end as worker_uuid,
  l.actor,
  case
    when l.login is not null then l.login
    else (coalesce(
      (
        select array[w.login, w.role]
          from tasker.step_log as w
         where w.task_uuid = l.task_uuid
           and w.step_no = l.step_no
           and w.sort_key between l.sort_key - 4 and l.sort_key - 1
           and w.login is not null
         order by w.sort_key desc
         limit 1
      ),
      (select array[t.login, t.role] from tasker.tasks as t where t.task_uuid = l.task_uuid)
    ))[1]
  end as login,
  case
    when l.login is not null then l.role
    else (coalesce(
      (
        select array[w.login, w.role]
          from tasker.step_log as w
         where w.task_uuid = l.task_uuid
           and w.step_no = l.step_no
           and w.sort_key between l.sort_key - 4 and l.sort_key - 1
           and w.login is not null
         order by w.sort_key desc
         limit 1
      ),
      (select array[t.login, t.role] from tasker.tasks as t where t.task_uuid = l.task_uuid)
    ))[2]
  end as role,
  l.reason,
  coalesce(case when u.position = 1 then l.metadata end, '{}') as metadata,
  coalesce(case when u.position = 1 then l.metadata end, '{}') as transition_metadata,
  case when u.position = 1 then l.execution_time_ms end::bigint as execution_time_ms,
  l.sort_key - u.after as sort_key,
  -- The condition on the row's key finds one row by that key.
  l.sort_key = s.transition_count and u.after = 0 as most_recent,
  l.created_at,
  l.created_at as updated_at
from tasker.step_log as l
join tasker.step_log_paths as u
  on u.path = l.path
join tasker.workflow_steps as s
  on s.task_uuid = l.task_uuid
 and s.step_no = l.step_no
where ((select tasker.bound_namespaces()) is null or tasker.may_see_task(s.task_uuid))
union all
select
  tasker.transition_uuid(s.task_uuid, s.step_no, 0),
  s.workflow_step_uuid,
  s.task_uuid,
  s.step_no,
  'pending',
  null,
  'Create',
  0,
  null,
  null,
  null,
  null,
  null,
  '{}',
  '{}',
  null,
  0,
  0 = s.transition_count,
  s.created_at,
  s.created_at
from tasker.workflow_steps as s
where ((select tasker.bound_namespaces()) is null or tasker.may_see_task(s.task_uuid));

comment on view tasker.workflow_step_transitions is
  'The history of steps, including their creation. If a query names the task, or the task and step_no, "… and most_recent" reads only one row of each step, even if the history is long. A bound caller sees only its namespaces.';

grant select on table tasker.workflow_step_transitions to tasker_orchestrator, tasker_operator, tasker_reader;
