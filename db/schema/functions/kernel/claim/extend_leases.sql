create or replace function tasker.extend_leases(
  p_step_uuids     uuid[],
  p_claim_nos      integer[],
  p_lease_seconds  integer  default null
)
  returns setof tasker.step_leases
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
  v_until     timestamptz := tasker.clock() + make_interval(secs => coalesce(p_lease_seconds, tasker.setting_integer('lease_seconds')));
  v_steps     uuid[];
  v_claim_nos integer[];
begin
  perform tasker.check_claim(coalesce(p_step_uuids[1], gen_random_uuid()), 1, p_lease_seconds);
  perform tasker.check_step_claims(p_step_uuids, p_claim_nos);
  perform tasker.check_bound_steps(p_step_uuids);

  -- This function begins with the queue, the end of the lock order, so it must not wait for a lock.
  select array_agg(u.step_uuid), array_agg(u.claim_no)
    into v_steps, v_claim_nos
    from unnest(p_step_uuids, p_claim_nos) as u (step_uuid, claim_no)
   cross join lateral (
     select
       from tasker.step_queue as q
      where q.task_uuid = tasker.task_uuid_of(u.step_uuid)
        and q.step_no = tasker.step_no_of(u.step_uuid)
        for update skip locked
   ) as q;
  select array_agg(u.step_uuid), array_agg(u.claim_no)
    into v_steps, v_claim_nos
    from unnest(v_steps, v_claim_nos) as u (step_uuid, claim_no)
   cross join lateral (
     select
       from tasker.workflow_steps as s
      where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
        and s.step_no = tasker.step_no_of(u.step_uuid)
        for no key update skip locked
   ) as s;

  return query
  with extended as (
    update tasker.workflow_steps as s
       set lease_until   = v_until,
           lease_seconds = coalesce(p_lease_seconds, s.lease_seconds)
      from (
        select tasker.task_uuid_of(u.step_uuid) as task_uuid, tasker.step_no_of(u.step_uuid) as step_no, u.claim_no
          from unnest(v_steps, v_claim_nos) as u (step_uuid, claim_no)
      ) as u
     where s.task_uuid = any (array[u.task_uuid])
       and s.step_no = u.step_no
       and s.claim_no = u.claim_no
       -- While the task is being undone, a running step keeps only the rest of its lease, unless the undo waits for it (-1).
       and s.state = 'in_progress' and (s.undo_level < 0) is not false
    returning s.task_uuid, s.step_no, s.workflow_step_uuid
  ),
  hidden as (
    update tasker.step_queue as q
       set visible_at = v_until
      from extended as x
     where q.task_uuid = any (array[x.task_uuid])
       and q.step_no = x.step_no
  )
  select
    u.step_uuid,
    u.claim_no,
    case
      when s.state is null then 'not_found'::tasker.lease_answer
      when e.extended then 'extended'
      when s.state = 'cancelled' or s.state = 'in_progress' and s.claim_no = u.claim_no and (s.undo_level < 0) is false then 'cancelled'
      when s.state = 'in_progress' and s.claim_no = u.claim_no then 'busy'
      else 'stale'
    end,
    case when e.extended then v_until end
  from unnest(p_step_uuids, p_claim_nos) with ordinality as u (step_uuid, claim_no, position)
  left join lateral (
    select s.state, s.claim_no, s.undo_level
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
       and s.step_no = tasker.step_no_of(u.step_uuid)
    offset 0
  ) as s on true
  -- The subplan is hashed. A join would compare each row with each other row, because hash and merge joins are off.
 cross join lateral (
   select u.step_uuid in (select x.workflow_step_uuid from extended as x) as extended
   offset 0
 ) as e
  order by u.position;
end;
$$;

comment on function tasker.extend_leases is
$$Renews the leases of running steps for p_lease_seconds from now. A null p_lease_seconds means the setting lease_seconds. Returns one answer for each step, in order: "extended", "stale" (stop working on the step, because its result would be refused), "cancelled", "not_found" or "busy" (another transaction holds the step). For a step whose task is being undone the answer is also "cancelled", and the lease is not renewed, unless the template says on_undo: drain. A result that arrives before the end of the lease counts.

Locks queue rows and steps, without waiting. Raises TK422 if the arrays do not match or the lease is out of range, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

grant execute on function tasker.extend_leases
  to tasker_worker, tasker_orchestrator, tasker_operator;
