create or replace function tasker.enter_runs(p_task_uuids uuid[], p_line_at timestamptz)
  returns void
  language plpgsql
as $$
begin
  insert into tasker.runs (task_uuid, named_task_uuid, namespace, name, run_key, rank, line_at)
  select
    t.task_uuid, p.named_task_uuid, p.namespace, p.name, tasker.limit_key_of((p.runs ->> 'key')::jsonpath, t.context, '{}'),
    case p.runs ->> 'order' when 'priority' then t.priority else 0 end, p_line_at
  from unnest(p_task_uuids) with ordinality as u (task_uuid, ord)
  join tasker.tasks as t
    on t.task_uuid = u.task_uuid
  join tasker.creation_plans as p
    on p.named_task_uuid = t.named_task_uuid
  order by u.ord
  on conflict (task_uuid) do update
     set state = 'waiting',
         rank = excluded.rank,
         line_at = excluded.line_at,
         run_at = null;
  -- The timer is far in the future, so that the kernel does not start the task. start_runs deletes the timer when the
  -- task gets a place.
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select r.task_uuid, 'start_task', '2200-01-01 00:00:00Z', r.namespace
    from tasker.runs as r
   where r.task_uuid = any (p_task_uuids)
  on conflict (task_uuid, step_no, kind) do update
     set due_at = excluded.due_at;
end;
$$;

comment on function tasker.enter_runs is
$$Puts tasks that have not started into the lines of their keys, where they count from p_line_at on. The caller holds the tasks' locks, or has just inserted the tasks.$$;
