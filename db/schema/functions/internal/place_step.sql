create or replace function tasker.place_step(p_step tasker.workflow_steps)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_namespace text;
begin
  delete from tasker.timers as m
   where m.task_uuid = p_step.task_uuid
     and m.step_no = p_step.step_no
     and m.kind = 'retry_step';

  if p_step.state = 'waiting_for_retry' then
    insert into tasker.timers (task_uuid, step_no, kind, due_at)
    values (p_step.task_uuid, p_step.step_no, 'retry_step', p_step.next_retry_at);
  end if;

  if p_step.state not in (
    'enqueued', 'in_progress', 'enqueued_for_orchestration', 'enqueued_as_error_for_orchestration'
  ) then
    delete from tasker.step_queue as q
     where q.task_uuid = p_step.task_uuid
       and q.step_no = p_step.step_no;
    return;
  end if;

  v_namespace := tasker.namespace_of_task(p_step.task_uuid);
  insert into tasker.step_queue as q (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
  values (
    p_step.task_uuid, p_step.step_no, v_namespace,
    tasker.step_lane(p_step.state, p_step.priority),
    p_step.named_step_uuid, p_step.claim_no, coalesce(p_step.lease_until, tasker.clock())
  )
  on conflict (task_uuid, step_no) do update
     set lane       = excluded.lane,
         claim_no   = excluded.claim_no,
         visible_at = excluded.visible_at;

  if p_step.state = 'enqueued' then
    perform tasker.announce_steps(v_namespace, array[p_step.task_uuid], array[p_step.step_no]);
  end if;
end;
$$;

comment on function tasker.place_step(tasker.workflow_steps) is
$$Puts a step where its state belongs: into the queue, onto a timer, or out of both; wakes workers if it is ready. The caller holds the task's lock.$$;

revoke all on function tasker.place_step(tasker.workflow_steps) from public;
