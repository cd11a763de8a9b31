create or replace function tasker.requeue_steps(
  p_steps  tasker.workflow_steps[],
  p_event  text,
  p_lost   integer
)
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
  v_now timestamptz := tasker.clock();
begin
  insert into tasker.workflow_step_transition_log (
    task_uuid, step_no, sort_key, event, from_state, to_state, claim_no, worker_uuid, created_at
  )
  select
    s.task_uuid, s.step_no, s.transition_count + 1, p_event, s.state, 'enqueued', s.claim_no, s.worker_uuid, v_now
  from unnest(p_steps) as s;

  update tasker.workflow_steps as s
     set state            = 'enqueued',
         transition_count = s.transition_count + 1,
         lease_until      = null,
         attempts         = greatest(s.attempts - 1, 0),
         lost_count       = s.lost_count + p_lost
    from unnest(p_steps) as u
   where s.task_uuid = any (array[u.task_uuid])
     and s.step_no = u.step_no;

  -- Back to where it stood: it has waited its turn before. Not found by "=" alone: a queue that was
  -- analyzed while it was empty would be read from end to end.
  update tasker.step_queue as q
     set lane       = tasker.step_lane('enqueued', u.priority),
         claim_no   = u.claim_no,
         visible_at = least(u.last_attempted_at, v_now)
    from unnest(p_steps) as u
   where q.task_uuid = any (array[u.task_uuid])
     and q.step_no = u.step_no;

  perform tasker.announce_queue_rows(array_agg(u.task_uuid), array_agg(u.step_no))
     from unnest(p_steps) as u;
end;
$$;

comment on function tasker.requeue_steps(tasker.workflow_steps[], text, integer) is
$$Puts steps in progress back into the queue, at their old place, with the attempt given back: by Release, or by LeaseExpired with a loss counted. The caller holds the locks of the steps and, if it came from the queue, of their queue rows.$$;

revoke all on function tasker.requeue_steps(tasker.workflow_steps[], text, integer) from public;
