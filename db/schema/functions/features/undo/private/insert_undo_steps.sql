create or replace function tasker.insert_undo_steps(
  p_task       tasker.tasks,
  p_namespace  text,
  p_undone     integer[],
  p_numbers    integer[]
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := tasker.write_clock();
begin
  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, max_attempts, priority, transition_count,
    timeout_seconds, backoff_base_seconds, backoff_multiplier, max_backoff_seconds, inputs, undo_no, effects
  )
  select
    p_task.task_uuid, u.step_no, tasker.step_uuid(p_task.task_uuid, u.step_no), s.compensate_uuid, 'undo ' || s.name,
    'enqueued', greatest(s.max_attempts, tasker.setting_integer('max_attempts')), s.priority, 1, s.timeout_seconds,
    s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds,
    -- The claim adds the result that is undone (tasker.undo_inputs).
    jsonb_build_object('step', s.name, 'step_uuid', coalesce(s.effect_uuid, s.workflow_step_uuid), 'initialization', s.inputs)
      || case when s.state = 'complete' then '{}'::jsonb else jsonb_build_object('result_unknown', true) end
      || case when s.child_task_uuid is not null then jsonb_build_object('child_task_uuid', s.child_task_uuid) else '{}' end,
    s.step_no, s.effects & 8192::smallint
  from unnest(p_undone, p_numbers) as u (undone, step_no)
  cross join lateral (
    select s.*
      from tasker.workflow_steps as s
     where s.task_uuid = p_task.task_uuid
       and s.step_no = u.undone
    offset 0
  ) as s;

  -- Path 1 is the transition to enqueued.
  insert into tasker.step_log (
    task_uuid, step_no, sort_key, path, actor, login, role, reason, created_at
  )
  select p_task.task_uuid, u.step_no, 1, 1, p_task.undo ->> 'actor', session_user, tasker.set_role(),
         format('undoes step "%s"', s.name), v_now
    from unnest(p_undone, p_numbers) as u (undone, step_no)
   cross join lateral (
     select s.name
       from tasker.workflow_steps as s
      where s.task_uuid = p_task.task_uuid
        and s.step_no = u.undone
     offset 0
   ) as s;

  insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
  select p_task.task_uuid, s.step_no, p_namespace, tasker.step_lane('enqueued', s.priority), s.named_step_uuid, v_now
    from unnest(p_numbers) as u (step_no)
   cross join lateral (
     select s.step_no, s.priority, s.named_step_uuid
       from tasker.workflow_steps as s
      where s.task_uuid = p_task.task_uuid
        and s.step_no = u.step_no
     offset 0
   ) as s;
end;
$$;

comment on function tasker.insert_undo_steps is
$$Inserts the compensations of steps as enqueued steps with the numbers p_numbers. Inserts the steps, which are named "undo" followed by the name of the undone step, their log with the actor of the undo, and their queue rows. The inputs of a compensation are the name and the inputs of the undone step, the UUID of the step that had the effect, and result_unknown if that step has no result. The caller holds the task's lock and updates the task's counters.$$;
