create or replace function tasker.run_maintenance(p_job text default null)
  returns setof tasker.maintenance_jobs
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_job   tasker.maintenance_jobs;
  v_done  bigint;
  v_error text;
begin
  if p_job is not null and not exists (select from tasker.maintenance_jobs as j where j.job = p_job) then
    raise exception using
      errcode = 'TK404',
      message = format('maintenance has no job "%s"', left(p_job, 100)),
      hint    = format('It has %s.', (select string_agg(j.job, ', ' order by j.position) from tasker.maintenance_jobs as j));
  end if;
  -- One instance works, the others go on to their own business; whoever dies gives the lock back.
  if not pg_try_advisory_xact_lock(hashtextextended('tasker.maintenance', 0)) then
    return;
  end if;

  select j.*
    into v_job
    from tasker.maintenance_jobs as j
   where j.job = coalesce(p_job, j.job)
     and (
       p_job is not null
       or j.last_finished_at is null
       or j.last_finished_at + make_interval(secs => tasker.setting_integer(j.interval_setting)) <= tasker.clock()
     )
   order by coalesce(j.last_finished_at, '-infinity'), j.position
   limit 1;
  if not found then
    return;
  end if;

  begin
    v_done := tasker.do_maintenance_job(v_job.job, v_job.last_finished_at);
  exception when others then
    -- What it did is undone; the others must not suffer for it.
    v_error := format('%s: %s', sqlstate, sqlerrm);
  end;

  return query
  update tasker.maintenance_jobs as j
     set runs             = j.runs + 1,
         failures         = j.failures + (v_error is not null)::integer,
         last_started_at  = tasker.clock(),
         last_finished_at = greatest(tasker.clock(), tasker.clock() + (clock_timestamp() - statement_timestamp())),
         last_done        = v_done,
         last_error       = v_error
   where j.job = v_job.job
  returning j.*;
end;
$$;

comment on function tasker.run_maintenance(text) is
$$Does the job of maintenance that has been due longest, or the one named whether or not it is due, and returns its row; no row if none is due or another session is at it. An orchestrator calls it in its loop, each call in a transaction of its own, until there is no row; pg_cron may.

A job that fails is undone, recorded in its row and tried again when it is next due. Holds an advisory lock. Raises TK404 if there is no such job.$$;

revoke all on function tasker.run_maintenance(text) from public;
grant execute on function tasker.run_maintenance(text) to tasker_orchestrator, tasker_operator;
