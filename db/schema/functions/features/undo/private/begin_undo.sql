create or replace function tasker.begin_undo(
  p_task            tasker.task_facts,
  p_event           text,
  p_to_state        tasker.task_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
)
  returns void
  language plpgsql
as $$
declare
  v_reason  text        := coalesce(p_metadata ->> 'reason', p_metadata ->> 'error');
  v_seconds integer     := tasker.setting_integer('lease_seconds');
  v_until   timestamptz := tasker.write_clock() + make_interval(secs => v_seconds);
  v_running integer[];
  v_drains  boolean     := (
    select k.configuration ->> 'on_undo' = 'drain' from tasker.named_tasks as k where k.named_task_uuid = p_task.named_task_uuid
  );
begin
  p_task.undo := jsonb_strip_nulls(jsonb_build_object(
    'phase', 'drain', 'event', p_event, 'to_state', p_to_state, 'since', tasker.write_clock(), 'actor', p_actor,
    'processor_uuid', p_processor_uuid
  )) || jsonb_build_object('metadata', coalesce(p_metadata, '{}'));
  p_task.on_failure := 'drain';
  update tasker.tasks as t
     set undo = p_task.undo
   where t.task_uuid = p_task.task_uuid;
  delete from tasker.timers as m
   where m.task_uuid = p_task.task_uuid
     and m.kind in ('task_deadline', 'start_task', 'expand_map');
  delete from tasker.waiting_tasks as w where w.task_uuid = p_task.task_uuid;

  p_task := tasker.sweep_steps(p_task, 'undo', format('the task is undone: %s', coalesce(v_reason, p_event)), p_actor);
  -- Steps in progress end first, and are not tried again. Unless the template has on_undo: drain, their leases are no
  -- longer renewed, and last for at most the setting lease_seconds. After that such a step counts as lost.
  with running as (
    update tasker.workflow_steps as s
       set retryable     = false,
           undo_level    = case when v_drains then -1 else 0 end,
           lease_until   = case when v_drains then s.lease_until else least(s.lease_until, v_until) end,
           lease_seconds = case when v_drains then s.lease_seconds else least(s.lease_seconds, v_seconds) end
     where s.task_uuid = p_task.task_uuid
       and s.state = 'in_progress'
    returning s.step_no
  )
  select array_agg(r.step_no) into v_running from running as r;
  if v_running is not null and v_drains is not true then
    update tasker.step_queue as q
       set visible_at = least(q.visible_at, v_until)
     where q.task_uuid = p_task.task_uuid
       and q.step_no = any (v_running);
    perform tasker.notify_cancelled(p_task.namespace, p_task.task_uuid, v_running);
  end if;
  perform tasker.write_task(p_task, 0, 0, 0, 0, 0, '{}', null, null, p_processor_uuid);
end;
$$;

comment on function tasker.begin_undo is
$$Begins to undo a task instead of ending it. Cancels the steps that have not started, and notifies the workers of steps in progress, which end at the latest when their lease ends. With on_undo: drain, these workers are not notified, and may renew their leases. Records the event, which is carried out when the undo has ended. The caller holds the locks of the task and of its open steps.$$;
