create or replace function tasker.child_end_moves(p_task_uuids uuid[], p_parents uuid[])
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
declare
  v_settings tasker.settings_now;
  v_child    record;
  v_result   jsonb;
  v_move     tasker.step_moves;
  v_moves    tasker.step_moves[] := '{}';
begin
  select c.* into v_settings from tasker.settings_now as c;
  for v_child in
    select t.task_uuid, t.state, s.task_uuid as parent, s.step_no, s.retryable, s.attempts, s.max_attempts,
           s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds
      from unnest(p_task_uuids) as u (task_uuid)
     cross join lateral (
       select t.task_uuid, t.state, t.parent_step_uuid
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
          and t.complete
       offset 0
     ) as t
     cross join lateral (
       select s.*
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(t.parent_step_uuid)
          and s.step_no = tasker.step_no_of(t.parent_step_uuid)
          and s.state = 'suspended'
          and s.child_task_uuid = t.task_uuid
       offset 0
     ) as s
     where s.task_uuid = any (p_parents)
       -- If a step begins again, its start (start_child) checks the child's state.
       and not exists (
         select
           from tasker.timers as m
          where m.task_uuid = s.task_uuid
            and m.step_no = s.step_no
            and m.kind = 'start_child'
       )
     order by s.task_uuid, s.step_no
  loop
    if v_child.state in ('complete', 'resolved_manually') then
      v_result := tasker.task_result(v_child.task_uuid, v_settings.result_bytes);
      if octet_length(v_result::text) <= v_settings.result_bytes then
        v_move := tasker.ended_wait(v_child.parent, v_child.step_no, null, 'complete', null, null, null);
        v_move.result := v_result;
        v_move.metadata := jsonb_build_object('child_task_uuid', v_child.task_uuid);
      else
        v_move := tasker.ended_wait(v_child.parent, v_child.step_no, null, 'fail', null, format(
          'the results of task %s have more than %s bytes, the setting "result_bytes"', v_child.task_uuid, v_settings.result_bytes
        ), null);
      end if;
    elsif v_child.state = 'cancelled' then
      v_move := tasker.ended_wait(
        v_child.parent, v_child.step_no, null, 'fail', null, format('task %s was cancelled', v_child.task_uuid), null
      );
    else
      v_move := tasker.ended_wait(v_child.parent, v_child.step_no, null, 'fail', null, format(
        'task %s failed: %s', v_child.task_uuid, tasker.child_failure(v_child.task_uuid)
      ), null);
      v_move.to_state := tasker.result_state(true, false, v_child.retryable, v_child.attempts + 1, v_child.max_attempts);
      if v_move.to_state = 'waiting_for_retry' then
        v_move.event := 'WaitForRetry';
        v_move.metadata := jsonb_build_object('error', v_move.error);
        v_move.next_retry_at := tasker.retry_at(
          tasker.write_clock(), v_settings, v_child.attempts + 1, null,
          v_child.backoff_base_seconds, v_child.backoff_multiplier, v_child.max_backoff_seconds
        );
      end if;
    end if;
    v_moves := v_moves || v_move;
  end loop;
  return v_moves;
end;
$$;

comment on function tasker.child_end_moves is
$$Returns the moves of the steps that wait for these tasks, if the task has ended and its parent is in p_parents. A task's
result completes the waiting step. After a task's failure, the step is retried by its retry policy. A cancelled task, or a
result larger than the setting "result_bytes", fails the step for good. The caller holds the locks of the tasks and of the
parents.$$;
