create or replace function tasker.make_tick(
  p_schedule  tasker.schedules,
  p_tick      timestamptz,
  p_cause     text,
  p_actor     text,
  p_reason    text  default null
)
  returns tasker.schedules
  language plpgsql
as $$
declare
  v_tick_text text := to_char(p_tick at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
  v_creator   text[] := p_schedule.creator_namespaces;
  v_request   tasker.task_requests;
  v_creation  tasker.task_creations;
begin
  -- The session of run_schedule_now counts as a creator of the task. A claim that happens to find a tick due does not.
  if p_cause = 'run_now' then
    v_creator := tasker.narrowed(v_creator, tasker.bound_namespaces());
  end if;

  -- The tick is the identity of the task. Only the holder of the schedule's row locks this identity. So a claim, which
  -- may hold tasks, waits for no other transaction here.
  v_request.namespace := p_schedule.namespace;
  v_request.name := p_schedule.task_name;
  v_request.contexts := array[p_schedule.context];
  v_request.version := p_schedule.task_version;
  v_request.priority := p_schedule.priority;
  v_request.tags := p_schedule.tags;
  v_request.initiator := p_actor;
  v_request.reason := p_reason;
  v_request.source_system := 'schedule';
  v_request.headers := jsonb_build_object('schedule', p_schedule.schedule, 'tick', v_tick_text);
  v_request.deadline := tasker.clock() + make_interval(secs => p_schedule.deadline_seconds);
  v_request.tick := concat_ws(
    ' ', p_schedule.schedule_uuid, case when p_cause = 'run_now' then gen_random_uuid()::text else v_tick_text end
  );
  v_request.creator_namespaces := v_creator;
  v_creation := (tasker.make_tasks(v_request))[1];

  p_schedule.last_tick_at := greatest(p_schedule.last_tick_at, p_tick);
  p_schedule.last_task_uuid := v_creation.task_uuid;
  p_schedule.running_tasks := array_remove(p_schedule.running_tasks, v_creation.task_uuid) || v_creation.task_uuid;
  p_schedule.running_tasks := p_schedule.running_tasks[greatest(1, cardinality(p_schedule.running_tasks) - 99):];
  p_schedule.failures := 0;
  p_schedule.last_error := null;
  p_schedule.last_error_at := null;
  return tasker.note_tick(
    p_schedule, p_tick, p_cause, 'made', v_creation.task_uuid, case when not v_creation.created then 'had been made before' end
  );
end;
$$;

comment on function tasker.make_tick is
$$Creates the task of a tick, or finds the task if it was created before, and returns the changed schedule. The caller holds the schedule's row, and writes it afterwards. Raises the errors of create_task.$$;
