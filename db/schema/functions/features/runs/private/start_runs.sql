create or replace function tasker.start_runs(p_task_uuids uuid[], p_processor uuid)
  returns void
  language plpgsql
as $$
begin
  update tasker.runs as r
     set state = 'running',
         run_at = tasker.clock()
   where r.task_uuid = any (p_task_uuids)
     and r.state = 'waiting';
  delete from tasker.timers as m
   where m.task_uuid = any (p_task_uuids)
     and m.kind in ('start_task', 'serve_run');
  perform tasker.advance_tasks(p_task_uuids, p_processor);
end;
$$;

comment on function tasker.start_runs is
$$Gives waiting tasks a place of their key, and starts them. The caller holds the key and the locks of the tasks.$$;
