create or replace function tasker.fire_runs(p_task_uuids uuid[], p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  v_uuid uuid;
  v_run  tasker.runs;
begin
  -- Delete the notes first, so that notes which the following calls write stay.
  delete from tasker.timers as m where m.task_uuid = any (p_task_uuids) and m.kind = 'serve_run';
  foreach v_uuid in array p_task_uuids loop
    select r.* into v_run from tasker.runs as r where r.task_uuid = v_uuid;
    if found and not tasker.serve_runs(v_run, p_processor) then
      perform tasker.note_runs(array[v_uuid], tasker.clock() + interval '100 milliseconds');
    elsif found and v_run.state = 'waiting' and v_run.line_at > tasker.clock() then
      perform tasker.note_runs(array[v_uuid], v_run.line_at);
    elsif found and v_run.state = 'ended' then
      delete from tasker.runs as r where r.task_uuid = v_uuid and r.state = 'ended';
    end if;
  end loop;
end;
$$;

comment on function tasker.fire_runs is
$$Fires the notes of these tasks: starts the next tasks of their keys (tasker.serve_runs), deletes the rows of tasks that have ended, and writes another note for tasks that enter the line later. If another transaction has locked a key or a task, it is tried again 100 ms later. The caller holds the tasks' locks and the notes.$$;
