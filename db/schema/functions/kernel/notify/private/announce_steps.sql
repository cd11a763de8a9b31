create or replace function tasker.announce_steps(
  p_namespace   text,
  p_task_uuids  uuid[],
  p_step_nos    integer[]  default null
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_lane     tasker.queue_lane;
  v_messages jsonb[];
begin
  perform tasker.notify_steps_ready(p_namespace);
  if not exists (
    select
      from tasker.task_namespaces as n
     where n.name = p_namespace
       and n.transport = 'pgmq'
  ) then
    return;
  end if;

  for v_lane, v_messages in
    select
      case when q.lane = 'limited' then q.limit_lane else q.lane end,
      array_agg(
        jsonb_build_object(
          'task_uuid', q.task_uuid,
          'step_uuid', tasker.step_uuid(q.task_uuid, q.step_no),
          'correlation_id', t.correlation_id
        )
        order by q.task_uuid, q.step_no
      )
    from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
    cross join lateral (
      select q.lane, q.limit_lane, q.task_uuid, q.step_no
        from tasker.step_queue as q
       where q.task_uuid = u.task_uuid
         and q.step_no = coalesce(u.step_no, q.step_no)
         and q.lane in ('high', 'normal', 'low', 'limited')
      offset 0
    ) as q
    cross join lateral (
      select t.correlation_id
        from tasker.tasks as t
       where t.task_uuid = u.task_uuid
      offset 0
    ) as t
    group by 1
    order by 1
  loop
    perform tasker.announce_messages(tasker.step_queue_name(p_namespace, v_lane), v_messages);
  end loop;
end;
$$;

comment on function tasker.announce_steps is
$$Wakes the workers of a namespace for steps that were just enqueued: p_step_nos has a step number for each task, or is null for all steps that the tasks have in the queue. If the namespace's transport is pgmq, also sends a message for each step (tasker.announce_messages), with task_uuid, step_uuid and correlation_id.$$;
