create or replace function tasker.leave_runs(p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
declare
  v_left uuid[];
begin
  -- A failed task of a sequence keeps its place and so blocks the sequence.
  with gone as (
    update tasker.runs as r
       set state = 'ended'
      from tasker.tasks as t, tasker.creation_plans as p
     where r.task_uuid = any (p_task_uuids)
       and t.task_uuid = r.task_uuid
       and p.named_task_uuid = t.named_task_uuid
       and not (r.state = 'running' and t.state = 'error' and p.runs -> 'sequence' = 'true')
    returning r.task_uuid
  )
  select array_agg(g.task_uuid) into v_left from gone as g;
  if v_left is not null then
    perform tasker.note_runs(v_left, tasker.clock());
  end if;
end;
$$;

comment on function tasker.leave_runs is
$$Frees the places of tasks that have ended, and writes notes that the next tasks of their keys may start. A failed task of a sequence keeps its place. The caller holds the tasks' locks.$$;
