create or replace function tasker.recover_lost_steps(p_groups tasker.step_queue[], p_limit integer)
  returns integer
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
  v_now    timestamptz := tasker.clock();
  v_taken  tasker.step_queue[];
  v_steps  tasker.workflow_steps[];
  v_poison tasker.workflow_steps[];
  v_locked uuid[];
begin
  -- After a restart workers first get the chance to renew.
  if tasker.server_started_at() + make_interval(secs => tasker.setting_integer('lease_seconds')) > v_now then
    return 0;
  end if;

  v_taken := tasker.take_queue_rows(p_groups, p_limit, v_now + interval '1 second', false);
  select
    array_agg(s) filter (where s.lost_count < m.max_lost),
    array_agg(s) filter (where s.lost_count >= m.max_lost)
    into v_steps, v_poison
    from unnest(v_taken) as u
   cross join (select tasker.setting_integer('max_lost') as max_lost) as m
   cross join lateral (
     select s.*
       from tasker.workflow_steps as s
      where s.task_uuid = u.task_uuid
        and s.step_no = u.step_no
        for no key update skip locked
   ) as s
   where s.state = 'in_progress'
     and s.lease_until <= v_now;

  perform tasker.requeue_steps(v_steps, 'LeaseExpired', 1);
  if v_poison is null then
    return coalesce(cardinality(v_steps), 0);
  end if;

  -- Whoever holds one of the tasks now is asked again in a second.
  v_locked := tasker.lock_tasks(array(select p.task_uuid from unnest(v_poison) as p), false);
  perform tasker.finish_steps(
    array_agg(p.task_uuid), array_agg(p.step_no), array_agg(p.claim_no), null,
    array_agg(format('its worker was lost %s times', p.lost_count + 1)), array_agg(true), null, null, array_agg(false)
  )
     from unnest(v_poison) as p
    where p.task_uuid = any (v_locked)
   having count(*) > 0;
  return coalesce(cardinality(v_steps), 0) + cardinality(v_poison);
end;
$$;

comment on function tasker.recover_lost_steps(tasker.step_queue[], integer) is
$$Steps whose worker has let its lease end go back to their place in the queue, with the attempt given back; those that lost more workers than the setting "max_lost" allows have failed for good. Returns how many.

Comes from the queue's end of the lock order: it takes only what nobody else holds.$$;

revoke all on function tasker.recover_lost_steps(tasker.step_queue[], integer) from public;
