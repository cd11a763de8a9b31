create or replace function tasker.maintain(p_job text, p_search_path text, p_worker_duties boolean default false)
  returns setof tasker.maintenance_jobs
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_job     tasker.maintenance_jobs;
  v_outcome tasker.maintenance_outcomes;
  v_error   text;
begin
  if p_job is not null and not exists (select from tasker.maintenance_jobs as j where j.job = p_job) then
    raise exception using
      errcode = 'TK404',
      message = format('maintenance has no job "%s"', left(p_job, 100)),
      hint    = format('The jobs are %s.', (select string_agg(j.job, ', ' order by j.position) from tasker.maintenance_jobs as j));
  end if;
  -- One instance works, the others skip it. If the instance dies, its lock ends.
  if not tasker.try_turn('maintenance') then
    return;
  end if;

  -- The job that ran longest ago, so that a job with more to do alternates with the others.
  select j.*
    into v_job
    from tasker.maintenance_jobs as j
   where j.job = coalesce(p_job, j.job)
     and (j.worker_duty or not p_worker_duties)
     and (
       p_job is not null
       or j.more_due
       or j.last_finished_at is null
       or j.last_finished_at + make_interval(secs => tasker.setting_integer(j.interval_setting)) <= tasker.clock()
     )
   order by coalesce(j.last_finished_at, '-infinity'), j.position
   limit 1;
  if not found then
    if p_worker_duties then
      perform tasker.fire_due_timers(100);
    end if;
    return;
  end if;

  begin
    select o.* into strict v_outcome from tasker.do_maintenance_job(v_job.job, v_job.last_finished_at) as o;
  exception when others then
    -- The failed job is rolled back; the other jobs must still run.
    v_error := format('%s: %s', sqlstate, sqlerrm);
  end;

  update tasker.maintenance_jobs as j
     set runs             = j.runs + 1,
         failures         = j.failures + (v_error is not null)::integer,
         more_due         = coalesce(v_outcome.more_due, false),
         last_started_at  = tasker.clock(),
         last_finished_at = greatest(tasker.clock(), tasker.clock() + (clock_timestamp() - statement_timestamp())),
         last_done        = v_outcome.done,
         last_detail      = v_outcome.detail,
         last_error       = v_error
   where j.job = v_job.job
  returning j.* into v_job;

  -- pg_partman has set it for the session. No name may be resolved afterwards.
  if v_job.job = 'partitions' and v_job.last_done > 0
     and (select b.backend = 'pg_partman' from tasker.partition_backend() as b) then
    perform set_config('search_path', p_search_path, false);
  end if;
  return next v_job;
end;
$$;

comment on function tasker.maintain(text, text, boolean) is
$$Does a maintenance job as tasker.run_maintenance describes, only one that workers may do if p_worker_duties, and sets the session's search_path to p_search_path if pg_partman has changed it. If no duty is due, a worker's call fires timers, including those of namespaces from which no worker claims.

Locks the row maintenance of tasker.turns.$$;

revoke all on function tasker.maintain(text, text, boolean) from public;
