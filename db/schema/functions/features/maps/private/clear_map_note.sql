create or replace function tasker.clear_map_note(p_task_uuid uuid, p_step_no integer)
  returns void
  language plpgsql
as $$
begin
  delete from tasker.timers as m
   where m.task_uuid = p_task_uuid
     and m.step_no = p_step_no
     and m.kind = 'expand_map';
end;
$$;

comment on function tasker.clear_map_note is
$$Deletes the note of a map for which no work is due. The caller holds the task's lock.$$;
