create or replace function tasker.change_line(p_row tasker.step_queue, p_limit_no integer, p_limit_key text, p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  update tasker.step_queue as q
     set limit_no  = p_limit_no,
         limit_key = p_limit_key
   where q.task_uuid = p_row.task_uuid
     and q.step_no = p_row.step_no;
  insert into tasker.limit_notes (limit_no, key_hash, limit_key, named_step_uuid, noted_at)
  values (p_limit_no, hashtext(p_limit_key), p_limit_key, p_row.named_step_uuid, p_now);
end;
$$;

comment on function tasker.change_line is
$$Moves a step into the line of another of its limits, which has no room for the step. The step then no longer waits in its former line, and a free place of the other limit makes claims try it again. The caller holds the step's queue row.$$;
