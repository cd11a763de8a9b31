create or replace function tasker.forget_last_errors(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_step record;
begin
  perform set_config('tasker.forgets', 'on', true);
  for v_step in
    select m.task_uuid, m.step_no
      from unnest(p_moves) as m
     where m.effects & 64 <> 0
  loop
    delete from tasker.kept_results as k
     where k.task_uuid = v_step.task_uuid
       and k.step_no = v_step.step_no
       and k.error is not null
       and k.kept_no = (
         select l.kept_no
           from tasker.kept_results as l
          where l.task_uuid = v_step.task_uuid
            and l.step_no = v_step.step_no
          order by l.kept_no desc
          limit 1
       );
  end loop;
  perform set_config('tasker.forgets', '', true);
end;
$$;

comment on function tasker.forget_last_errors is
$$Deletes the last kept result of functions if it is an error, so that a retry or a reset makes the call again. All other data stays: the function continues where it stopped, and keeps the signals and events that it took. The door "moved" calls this function, so the writer holds the locks.$$;
