create or replace function tasker.check_task_uuid(p_task_uuid uuid)
  returns uuid
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tolerance interval := make_interval(secs => tasker.setting_integer('uuid_tolerance_seconds'));
begin
  if p_task_uuid is null or not tasker.is_task_uuid(p_task_uuid) then
    raise exception using
      errcode = 'TK422',
      message = format('%s is not the UUID of a task', coalesce(p_task_uuid::text, 'null')),
      detail  = 'A task''s UUID is of version 7 and ends in four zeros, where its steps carry their number.',
      hint    = 'Omit it and the database makes one, or make it with the Go function executor.NewTaskUUID.';
  end if;

  if abs(extract(epoch from tasker.uuid_v7_time(p_task_uuid) - tasker.clock())) > extract(epoch from v_tolerance) then
    raise exception using
      errcode = 'TK422',
      message = format('the time in task UUID %s is too far from now', p_task_uuid),
      detail  = format(
        'It is %s; the server''s clock is %s. They may differ by %s.',
        to_char(tasker.uuid_v7_time(p_task_uuid) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'),
        to_char(tasker.clock() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'),
        v_tolerance
      ),
      hint    = 'Check the client''s clock, or omit the UUID and the database makes one.';
  end if;

  if not exists (
    select
      from tasker.partition_ranges as r
     where r.from_uuid <= p_task_uuid
       and r.to_uuid > p_task_uuid
  ) then
    raise exception using
      errcode = 'TK507',
      message = format('there is no partition for task UUID %s', p_task_uuid),
      hint    = 'Call tasker.ensure_partitions() as tasker_operator, or omit the UUID.';
  end if;
  return p_task_uuid;
end;
$$;

comment on function tasker.check_task_uuid is
$$Returns the task UUID that a caller has chosen if a task may be created with it.

Raises TK422 if the UUID does not have the form of a task's UUID, or if its time differs from now by more than the setting uuid_tolerance_seconds. Raises TK507 if there is no partition for it.$$;

grant execute on function tasker.check_task_uuid
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
