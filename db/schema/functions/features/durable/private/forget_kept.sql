create or replace function tasker.forget_kept(p_task_uuids uuid[], p_step_nos integer[])
  returns void
  language plpgsql
as $$
begin
  perform set_config('tasker.forgets', 'on', true);
  delete from tasker.kept_results as k
   using unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   where k.task_uuid = any (array[u.task_uuid])
     and k.step_no = u.step_no;
  perform set_config('tasker.forgets', '', true);
  update tasker.workflow_steps as s
     set wait = null
    from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   where s.task_uuid = any (array[u.task_uuid])
     and s.step_no = u.step_no
     and s.wait is not null;
end;
$$;

comment on function tasker.forget_kept is
$$Deletes the kept results and the last waits of the functions of these steps, which begin a new round. The caller holds the steps' locks.$$;
