create or replace function tasker.spare_leases(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  update tasker.step_queue as q
     set visible_at = m.visible_at
    from unnest(p_moves) as m
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no;
end;
$$;

comment on function tasker.spare_leases is
$$Leaves steps to their workers until visible_at, although the leases of the steps have ended. After the server was unreachable, each worker has the length of its own lease to renew the lease. The caller holds the queue rows.$$;
