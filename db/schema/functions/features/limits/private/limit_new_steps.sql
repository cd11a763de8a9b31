create or replace function tasker.limit_new_steps(p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
begin
  perform tasker.limit_moves(array_agg((
      null, q.task_uuid, q.step_no, 'pending', null, null, 'Enqueue', 'enqueued', null, null, null, null,
      null, null, null, null, null, null, null, null, null, null, null, null, null, null, null
    )::tasker.step_moves order by q.task_uuid, q.step_no))
     from unnest(p_task_uuids) as u (task_uuid)
    cross join lateral (
      select q.task_uuid, q.step_no
        from tasker.step_queue as q
       where q.task_uuid = u.task_uuid
         and q.lane in ('high', 'normal', 'low')
      offset 0
    ) as q
   having count(*) > 0;
end;
$$;

comment on function tasker.limit_new_steps(uuid[]) is
$$Moves the first steps of new tasks that name a limit into the lane limited, as tasker.limit_moves does.$$;

revoke all on function tasker.limit_new_steps(uuid[]) from public;
