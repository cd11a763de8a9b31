create or replace function tasklib.expire_locks(
  p_names  text[],
  p_now    timestamptz,
  p_limit  integer
)
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
  v_heard timestamptz := tasklib.locks_heard_since();
  v_count integer;
begin
  with dead as (
    select
      w.*, tasklib.expiry(w.name, 'failed', p_now) as failed_expires_at,
      count(*) over (partition by w.worker_id) - 1 as others,
      row_number() over (partition by w.worker_id order by w.started_at, w.id) as place
      from unnest(p_names) as u (name)
     cross join lateral (
       select t.id, t.name, t.worker_id, t.started_at, t.locked_until, t.retry_count,
                t.retry_count < t.max_retries as retries
         from tasklib.tasks as t
        where t.name = u.name
          and t.locked_until is not null
          and t.locked_until <= p_now
          and v_heard + make_interval(secs => coalesce(t.lock_seconds, 0)) <= p_now
        order by t.locked_until
        limit p_limit
          for update skip locked
     ) as w
  ),
  recovered as (
    update tasklib.tasks as t
       set state         = case when d.retries then 'pending' else 'failed' end::tasklib.task_state,
           ready         = d.retries and (d.retry_count = 0 or d.place = 1),
           retry_count   = t.retry_count + case when d.retries then 1 else 0 end,
           next_retry_at = null,
           -- One of the tasks that were lost together, and not for the first time, may be the cause. Only if each task
           -- runs alone, the next loss shows which task that is.
           scheduled_at  = case
             when not d.retries then t.scheduled_at
             when d.retry_count = 0 then p_now
             else p_now + least(10 * (d.place - 1), 600) * interval '1 second'
           end,
           completed_at  = case when d.retries then null else p_now end,
           expires_at    = case when d.retries then null else d.failed_expires_at end,
           locked_until  = null,
           worker_id     = null,
           error         = format('worker %s was lost: its lock ended at %s', d.worker_id, d.locked_until)
             || case when d.others > 0 then format(', with those of %s more tasks', d.others) else '' end
      from dead as d
     where t.id = d.id
    returning t.id, t.claim_no, t.name, d.worker_id, d.started_at, t.error
  ),
  recorded as (
    insert into tasklib.task_runs (task_id, claim_no, name, worker_id, started_at, ended_at, outcome, error)
    select r.id, r.claim_no, r.name, r.worker_id, r.started_at, p_now, 'lost', r.error
      from recovered as r
     where tasklib.setting('audit_runs')::boolean
  )
  select count(*)
    into v_count
    from recovered;
  return v_count;
end;
$$;

comment on function tasklib.expire_locks is
$$Takes tasks of these names from workers whose lock has ended, and who had the time of that lock to extend it since the server was reachable (tasklib.locks_heard_since): to pending, to run again from the beginning, or to failed if the retries are used up. Returns how many. Tasks that a worker lost together, and that have been retried before, run again ten seconds apart, so that a task which kills its worker is alone at last. Skips tasks that other transactions hold.$$;
