create or replace function tasker.postpone_map_note(p_task_uuid uuid, p_step_no integer, p_head_start interval)
  returns void
  language plpgsql
as $$
begin
  update tasker.timers as m
     set due_at = tasker.clock() + p_head_start
   where m.task_uuid = p_task_uuid
     and m.step_no = p_step_no
     and m.kind = 'expand_map';
end;
$$;

comment on function tasker.postpone_map_note is
$$Postpones the note of a map until p_head_start from now.$$;
