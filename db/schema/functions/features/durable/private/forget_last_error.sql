create or replace function tasker.forget_last_error(p_task_uuid uuid, p_step_no integer)
  returns void
  language plpgsql
as $$
begin
  perform set_config('tasker.forgets', 'on', true);
  delete from tasker.kept_results as k
   where k.task_uuid = p_task_uuid
     and k.step_no = p_step_no
     and k.error is not null
     and k.kept_no = (
       select l.kept_no
         from tasker.kept_results as l
        where l.task_uuid = p_task_uuid
          and l.step_no = p_step_no
        order by l.kept_no desc
        limit 1
     );
  perform set_config('tasker.forgets', '', true);
end;
$$;

comment on function tasker.forget_last_error is
$$Deletes what a function has kept last if that is an error, so that a retry or a reset makes the call again. All else stays: the function goes on where it stopped, and the signals and events that it took stay its own. The caller holds the step's lock.$$;
