create or replace function tasker.hide_queue_row(p_row tasker.step_queue, p_now timestamptz, p_until timestamptz)
  returns boolean
  language plpgsql
as $$
begin
  perform
     from tasker.step_queue as q
    where q.task_uuid = p_row.task_uuid
      and q.step_no = p_row.step_no
      and q.lane = p_row.lane
      and q.visible_at <= p_now
      for update skip locked;
  if not found then
    return false;
  end if;
  update tasker.step_queue as q
     set visible_at = p_until
   where q.task_uuid = p_row.task_uuid
     and q.step_no = p_row.step_no;
  return true;
end;
$$;

comment on function tasker.hide_queue_row is
$$Takes one row from the queue, if the row is still in its lane and visible at p_now. Locks the row and hides it until p_until. Returns false if the row has left its lane, is not visible, or is held by another transaction.$$;
