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
$$Lets a step wait in the line of another of its limits, which has no room for it. So the lines that the step leaves no longer know it, and a free place of the other limit wakes it. The caller holds its queue row.$$;
