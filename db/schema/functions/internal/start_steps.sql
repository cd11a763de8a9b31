create or replace function tasker.start_steps(
  p_taken        tasker.step_queue[],
  p_worker_uuid  uuid,
  p_lease_until  timestamptz
)
  returns tasker.workflow_steps[]
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
  v_now     timestamptz := tasker.clock();
  -- Partitions outside the span of these tasks are not opened.
  v_tasks   uuid[] := array(select distinct u.task_uuid from unnest(p_taken) as u order by u.task_uuid);
  v_started tasker.workflow_steps[];
begin
  -- What a lock returns is the newest row, whatever the statement's snapshot: it may be judged at once.
  with locked as materialized (
    select s.task_uuid, s.step_no
      from unnest(p_taken) as u
     cross join lateral (
       select s.task_uuid, s.step_no, s.state
         from tasker.workflow_steps as s
        where s.task_uuid = u.task_uuid
          and s.task_uuid between v_tasks[1] and v_tasks[cardinality(v_tasks)]
          and s.step_no = u.step_no
          for no key update skip locked
     ) as s
     where s.state = 'enqueued'
  ),
  started as (
    update tasker.workflow_steps as s
       set state             = 'in_progress',
           transition_count  = s.transition_count + 1,
           claim_no          = s.claim_no + 1,
           attempts          = s.attempts + 1,
           worker_uuid       = p_worker_uuid,
           lease_until       = p_lease_until,
           last_attempted_at = v_now
      from locked as k
     where s.task_uuid = any (array[k.task_uuid])
       and s.step_no = k.step_no
    returning s
  ),
  logged as (
    insert into tasker.workflow_step_transition_log (
      task_uuid, step_no, sort_key, event, from_state, to_state, claim_no, worker_uuid, created_at
    )
    select
      (t.s).task_uuid, (t.s).step_no, (t.s).transition_count, 'Start', 'enqueued', 'in_progress', (t.s).claim_no,
      p_worker_uuid, v_now
    from started as t
  )
  -- A row of the table's type: one of the query's own would be turned into text and back.
  select coalesce(array_agg(t.s), '{}') into v_started from started as t;

  -- Somebody has the step in hand: its row is looked at again in a second.
  if cardinality(p_taken) > cardinality(v_started) then
    update tasker.step_queue as q
       set lane       = tasker.step_lane('enqueued', s.priority),
           claim_no   = s.claim_no,
           visible_at = v_now + interval '1 second'
      from unnest(p_taken) as u
     cross join lateral (
       select s.priority, s.claim_no
         from tasker.workflow_steps as s
        where s.task_uuid = u.task_uuid
          and s.step_no = u.step_no
       offset 0
     ) as s
     where q.task_uuid = any (array[u.task_uuid])
       and q.step_no = u.step_no
       and not exists (
         select
           from unnest(v_started) as l
          where l.task_uuid = u.task_uuid
            and l.step_no = u.step_no
       );
  end if;
  return v_started;
end;
$$;

comment on function tasker.start_steps(tasker.step_queue[], uuid, timestamptz) is
$$Moves the steps of these queue rows, which the caller has taken, to in_progress: a new claim number, one attempt more, a lease. Returns those that it could.

Comes from the queue's end of the lock order: a step that somebody else holds is left.$$;

revoke all on function tasker.start_steps(tasker.step_queue[], uuid, timestamptz) from public;
