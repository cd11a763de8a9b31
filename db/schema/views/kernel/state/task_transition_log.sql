create or replace view tasker.task_transition_log as
select
  l.task_uuid,
  l.sort_key - u.after as sort_key,
  u.event,
  u.from_state,
  u.to_state,
  l.processor_uuid,
  l.actor,
  case when u.position = 1 then l.login end as login,
  case when u.position = 1 then l.role end as role,
  l.reason,
  case u.shows
    when 'm' then l.metadata
    when 'o' then l.outcome
    when 'c' then jsonb_build_object('count', l.outcome -> 'count')
    when 'k' then u.constant
  end as metadata,
  l.created_at,
  l.xact,
  l.sort_key as row_key
from tasker.task_log as l
join tasker.task_log_paths as u
  on u.path = l.path;

comment on view tasker.task_transition_log is
  'Every transition of a task: the rows of tasker.task_log, each as the transitions of its path. The sort_key of the newest transition is the task''s transition_count.';
comment on column tasker.task_transition_log.row_key is
  'The key of the log row. A query for one sort_key must also name this key, as "row_key between k and k + 4", because the log has no index on sort_key.';
