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
           -- If a worker lost several tasks, and not for the first time, one of these tasks may be the cause. So start these
           -- tasks ten seconds apart: then the next loss shows which task is the cause.
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
$$Takes tasks of these names from lost workers, at most p_limit of each name, and returns how many. A worker is lost if its lock has ended, and if the server has been reachable for the whole time of a lock (tasklib.locks_heard_since). A task becomes pending and runs again from the beginning, or failed if its retries are used up. If a worker lost several tasks that had been retried before, these tasks run again ten seconds apart, so that a task that crashes its worker soon runs alone. Skips tasks that other transactions hold.$$;
