create or replace function tasker.end_races(p_task_uuids uuid[], p_step_nos integer[], p_processor uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_note record;
begin
  for v_note in
    select u.task_uuid, u.step_no from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no) order by u.task_uuid, u.step_no
  loop
    delete from tasker.timers as m
     where m.task_uuid = v_note.task_uuid
       and m.step_no = v_note.step_no
       and m.kind = 'end_race';
    perform tasker.end_race(v_note.task_uuid, v_note.step_no, p_processor);
  end loop;
end;
$$;

comment on function tasker.end_races is
$$Ends the races above these steps, which have join: first, and deletes the notes of the races. The caller holds the tasks' locks.$$;
