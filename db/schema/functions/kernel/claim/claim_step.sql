create or replace function tasker.claim_step(
  p_step_uuid      uuid,
  p_worker_uuid    uuid,
  p_lease_seconds  integer  default null
)
  returns setof tasker.claimed_steps
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now      timestamptz;
  v_until    timestamptz;
  v_settings tasker.settings_now;
  v_taken    tasker.step_queue[];
  v_moves    tasker.step_moves[];
begin
  perform tasker.check_claim(p_worker_uuid, 1, p_lease_seconds);
  perform tasker.check_worker(p_worker_uuid);

  -- A claim locks steps before it reads their tasks, while retention locks the tables starting with tasks. Lock the
  -- tables in that order here too, without reading a row, so that the two cannot deadlock.
  perform from tasker.tasks as t where false;
  perform tasker.check_step_exists(p_step_uuid);
  perform tasker.check_bound_steps(array[p_step_uuid]);
  select c.* into v_settings from tasker.settings_now as c;

  -- The worker of this step may be lost. Check only the queue row of this step.
  perform tasker.recover_lost_steps(array_agg(q), 100, p_worker_uuid)
     from tasker.step_queue as q
    where q.task_uuid = tasker.task_uuid_of(p_step_uuid)
      and q.step_no = tasker.step_no_of(p_step_uuid)
      and q.lane = 'running'
      and q.visible_at <= tasker.write_clock()
   having count(*) > 0;

  v_now := tasker.write_clock();
  v_until := v_now + make_interval(secs => coalesce(p_lease_seconds, v_settings.lease_seconds));
  with taken as (
    update tasker.step_queue as q
       set visible_at = v_until,
           lane       = 'running',
           claim_no   = tasker.next_claim_no(q.claim_no)
      from (
        select
          from tasker.step_queue as k
         where k.task_uuid = tasker.task_uuid_of(p_step_uuid)
           and k.step_no = tasker.step_no_of(p_step_uuid)
           and k.lane in ('high', 'normal', 'low', 'published_high', 'published_normal', 'published_low')
           -- A step that was published to a broker can be claimed at any time: its visible_at is only the time of the
           -- next message.
           and k.visible_at <= case when k.lane in ('high', 'normal', 'low') then v_now else 'infinity' end
           and exists (
             select
               from tasker.task_namespaces as n
              where n.name = k.namespace
                and n.paused_at is null
             offset 0
           )
           and not tasker.is_paused(k.namespace, k.named_step_uuid, v_settings)
           for update of k skip locked
      ) as k
     where q.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and q.step_no = tasker.step_no_of(p_step_uuid)
    returning q.*
  )
  select coalesce(array_agg(t), '{}') into v_taken from taken as t;

  if cardinality(v_taken) = 0 and v_settings.limited_handlers is distinct from '{}' then
    v_taken := tasker.take_gated(null, null, p_step_uuid, 1, v_until, p_worker_uuid, v_settings);
  end if;

  v_moves := tasker.start_steps(v_taken, p_worker_uuid, v_until);
  perform tasker.note_lease_clock();
  perform tasker.note_worker(p_worker_uuid, null, null, v_moves, 1, null);
  if cardinality(v_moves) > 0 then
    return next tasker.describe_claim(v_moves[1], v_settings);
  end if;
end;
$$;

comment on function tasker.claim_step is
$$Hands one known step to a worker, if the step is ready, as claim_steps does. Call it after tasker.pgmq_read_specific_message, or for a message of another broker. tasker.claim_delivered_steps claims several steps, and returns the reason for each step that it does not hand out. Returns no row if the step is not in the queue, another worker has it, its namespace or its handler is paused, or its limit has no place for it.

Locks the queue row and the step, without waiting. Locks the worker's row last. Raises TK404 if there is no such step, TK422 for an argument out of range, TK403 if the role is bound to other namespaces or the worker belongs to another role, TK409 above READ COMMITTED.$$;

grant execute on function tasker.claim_step
  to tasker_worker, tasker_orchestrator, tasker_operator;
