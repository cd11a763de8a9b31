create or replace function tasker.advance_tasks(p_task_uuids uuid[], p_processor uuid default null)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_open  uuid[];
  v_tasks tasker.task_facts[];
begin
  -- A task whose start is in the future must not start, even if another call changes it.
  select array_agg(t.task_uuid)
    into v_open
    from unnest(p_task_uuids) as u (task_uuid)
   cross join lateral (
     select t.task_uuid
       from tasker.tasks as t
      where t.task_uuid = u.task_uuid
        and not t.complete
        and not exists (
          select
            from tasker.timers as m
           where m.task_uuid = t.task_uuid
             and m.kind = 'start_task'
             and m.due_at > tasker.clock()
        )
     offset 0
   ) as t;

  delete from tasker.waiting_tasks as w where w.task_uuid = any (p_task_uuids);
  delete from tasker.timers as m
   where m.task_uuid = any (p_task_uuids)
     and (m.kind = 'advance_task' or m.kind = 'start_task' and m.task_uuid = any (v_open));

  v_tasks := tasker.task_facts(v_open);
  perform tasker.apply_moves(tasker.ready_moves(v_tasks), v_tasks, p_processor);
end;
$$;

comment on function tasker.advance_tasks is
$$Starts or advances these tasks: enqueues or skips ready steps, and computes the state of each task. Tasks that have ended or start later do not change.

The caller holds the tasks' locks.$$;
