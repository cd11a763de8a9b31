create or replace function tasker.advance_noted(p_task_uuids uuid[], p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  v_deferred uuid[] := array(select w.task_uuid from tasker.waiting_tasks as w where w.task_uuid = any (p_task_uuids));
begin
  if cardinality(v_deferred) > 0 then
    delete from tasker.timers as m
     where m.task_uuid = any (v_deferred)
       and m.kind = 'advance_task';
  end if;
  perform tasker.advance_tasks(array(select u.task_uuid from unnest(p_task_uuids) as u (task_uuid) where u.task_uuid <> all (v_deferred)), p_processor);
end;
$$;

comment on function tasker.advance_noted is
$$Advances tasks whose note "advance_task" is due. If the start of a task is deferred, only deletes the note. The caller holds the locks of the tasks and of their timers.$$;
