create or replace view tasker.task_transitions
  with (security_barrier = true)
as
select
  tasker.transition_uuid(l.task_uuid, 0, l.sort_key - u.after) as task_transition_uuid,
  l.task_uuid,
  u.to_state,
  u.from_state,
  u.event,
  l.processor_uuid,
  l.actor,
  case
    when l.login is not null then l.login
    else (coalesce(
      (
        select array[w.login, w.role]
          from tasker.task_log as w
         where w.task_uuid = l.task_uuid
           and w.sort_key between l.sort_key - 8 and l.sort_key - 1
           and w.login is not null
         order by w.sort_key desc
         limit 1
      ),
      array[t.login, t.role]
    ))[1]
  end as login,
  case
    when l.login is not null then l.role
    else (coalesce(
      (
        select array[w.login, w.role]
          from tasker.task_log as w
         where w.task_uuid = l.task_uuid
           and w.sort_key between l.sort_key - 8 and l.sort_key - 1
           and w.login is not null
         order by w.sort_key desc
         limit 1
      ),
      array[t.login, t.role]
    ))[2]
  end as role,
  l.reason,
  coalesce(case u.shows
    when 'm' then l.metadata
    when 'o' then l.outcome
    when 'c' then jsonb_build_object('count', l.outcome -> 'count')
    when 'k' then u.constant
  end, '{}') as metadata,
  coalesce(case u.shows
    when 'm' then l.metadata
    when 'o' then l.outcome
    when 'c' then jsonb_build_object('count', l.outcome -> 'count')
    when 'k' then u.constant
  end, '{}') as transition_metadata,
  l.sort_key - u.after as sort_key,
  -- The condition on the row's key finds one row by that key.
  l.sort_key = t.transition_count and u.after = 0 as most_recent,
  l.created_at,
  l.created_at as updated_at
from tasker.task_log as l
join tasker.task_log_paths as u
  on u.path = l.path
join tasker.tasks as t
  on t.task_uuid = l.task_uuid
where ((select tasker.bound_namespaces()) is null or tasker.may_see_task(t.task_uuid))
union all
select
  tasker.transition_uuid(t.task_uuid, 0, 0),
  t.task_uuid,
  'pending',
  null,
  'Create',
  null,
  t.initiator,
  t.login,
  t.role,
  t.reason,
  '{}',
  '{}',
  0,
  0 = t.transition_count,
  t.requested_at,
  t.requested_at
from tasker.tasks as t
where ((select tasker.bound_namespaces()) is null or tasker.may_see_task(t.task_uuid));

comment on view tasker.task_transitions is
  'The history of tasks, including their creation. "where task_uuid = … and most_recent" reads only one row, even if the history is long. "most_recent is true" reads the whole history. A bound caller sees only its namespaces.';

grant select on table tasker.task_transitions to tasker_orchestrator, tasker_operator, tasker_reader;
