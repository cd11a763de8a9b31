create or replace function tasker.recover_taken(p_taken tasker.step_queue[], p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_now      timestamptz := tasker.write_clock();
  v_settings tasker.settings_now;
  v_heard    timestamptz := tasker.leases_heard_since();
  v_moves    tasker.step_moves[];
  v_poison   tasker.step_moves[];
  v_early    tasker.step_moves[];
begin
  select c.* into v_settings from tasker.settings_now as c;
  select
    -- The step returns to its old place in the queue, because it has already waited.
    array_agg(tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'in_progress', p_event => 'LeaseExpired',
      p_to_state => 'enqueued', p_held_claim_no => s.claim_no, p_visible_at => least(s.last_attempted_at, v_now),
      p_reason => case when b.never_begun then 'its handler had not begun' end,
      p_metadata => case when b.never_begun then '{"begun": false}'::jsonb end
    ) order by s.task_uuid, s.step_no)
      filter (where s.graced_until <= v_now and s.undo_level is null and (b.never_begun or s.lost_count < v_settings.max_lost)),
    array_agg(tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'in_progress',
      p_first_event => 'EnqueueForOrchestration', p_via_state => 'enqueued_as_error_for_orchestration',
      p_event => 'Fail', p_to_state => 'error', p_held_claim_no => s.claim_no, p_error => x.loss,
      p_metadata => tasker.failure_metadata(x.loss, null, true)
    ) order by s.task_uuid, s.step_no)
      filter (where s.graced_until <= v_now and (s.undo_level is not null or not b.never_begun and s.lost_count >= v_settings.max_lost)),
    array_agg(tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'in_progress', p_to_state => 'in_progress',
      p_visible_at => s.graced_until
    )) filter (where s.graced_until > v_now)
    into v_moves, v_poison, v_early
    from (
      select k.*, count(*) over (partition by k.worker_uuid) - 1 as others
        from unnest(p_taken) as u
       cross join lateral (
         select
           s.task_uuid, s.step_no, s.workflow_step_uuid, s.state, s.claim_no, s.lease_until, s.lease_seconds, s.lost_count,
           s.last_attempted_at, s.worker_uuid, s.undo_level,
           v_heard + make_interval(secs => coalesce(s.lease_seconds, v_settings.lease_seconds)) as graced_until
           from tasker.workflow_steps as s
          where s.task_uuid = u.task_uuid
            and s.step_no = u.step_no
            for no key update skip locked
       ) as k
       where k.state = 'in_progress'
         and k.lease_until <= v_now
    ) as s
   cross join lateral (
     -- Workers renew the leases of steps that have begun.
     select
       case
         when greatest(s.lease_until, s.graced_until) <= v_now
              and s.lease_until <= s.last_attempted_at + make_interval(secs => s.lease_seconds)
           then tasker.never_begun(s.workflow_step_uuid, s.claim_no, s.worker_uuid)
         else false
       end as never_begun
     offset 0
   ) as b
   cross join lateral (
     select case
       when s.undo_level is not null then 'its worker was lost while its task was being undone'
       else format('its worker was lost %s times', s.lost_count + 1)
         || case
           when s.others = 1 then ', the last time with one other step'
           when s.others > 1 then format(', the last time with %s other steps', s.others)
           else ''
         end
     end as loss
   ) as x;

  if v_early is not null then
    perform tasker.spare_leases(v_early);
  end if;
  perform tasker.requeue_steps(v_moves);
  if v_poison is null then
    return coalesce(cardinality(v_moves), 0);
  end if;

  perform tasker.fail_lost_steps(v_poison, p_processor);
  return coalesce(cardinality(v_moves), 0) + cardinality(v_poison);
end;
$$;

comment on function tasker.recover_taken is
$$Recovers the steps of queue rows that the caller has taken. A step is lost if its lease has ended and its worker has been able to reach the server for at least the length of the lease (tasker.leases_heard_since). A lost step returns to its place in the queue, and the attempt does not count. If the worker had not begun the step (tasker.never_begun), the step's lost_count does not rise. A step that has lost more workers than the setting "max_lost" allows, or whose task is being undone, fails for good. Its error says how many steps were lost together with it. Returns how many steps it handled.

The function begins with the queue, the end of the lock order, so it skips rows that other transactions hold.$$;
