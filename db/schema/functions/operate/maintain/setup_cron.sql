create or replace function tasker.setup_cron(p_enabled boolean default true)
  returns setof tasker.cron_jobs
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_job tasker.cron_jobs;
begin
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    raise exception using
      errcode = 'TK404',
      message = 'pg_cron is not installed in this database',
      hint    = 'It needs shared_preload_libraries, cron.database_name and "create extension pg_cron". Any other scheduler can call the same functions: see docs/operations.md.';
  elsif not has_schema_privilege('cron', 'usage') then
    raise exception using
      errcode = 'TK403',
      message = format('%s may not use schema cron', current_user),
      hint    = format('grant usage on schema cron to %I;', current_user);
  end if;

  for v_job.job_name, v_job.schedule, v_job.command in
    select 'pgtasker-' || j.name, j.schedule, j.command
      from (values
        (
          'maintenance', '* * * * *',
          'do $do$ begin loop perform from tasker.run_maintenance(); exit when not found; commit; end loop; end $do$'
        ),
        ('orchestrate', '* * * * *', 'select tasker.orchestrate(p_processor_uuid => md5(''pg_cron'')::uuid)')
      ) as j (name, schedule, command)
  loop
    if coalesce(p_enabled, true) then
      execute 'select cron.schedule($1, $2, $3)'
         into v_job.job_id
        using v_job.job_name, v_job.schedule, v_job.command;
      return next v_job;
    else
      -- pg_cron raises for a job that does not exist.
      execute 'select j.jobid from cron.job as j where j.jobname = $1 and j.username = current_user'
         into v_job.job_id
        using v_job.job_name;
      if v_job.job_id is not null then
        execute 'select cron.unschedule($1)' using v_job.job_id;
        return next v_job;
      end if;
    end if;
  end loop;
end;
$$;

comment on function tasker.setup_cron is
$$Makes pg_cron call, every minute, tasker.run_maintenance until nothing is due, each time in its own transaction, and tasker.orchestrate, whose processor in the logs is md5('pg_cron')::uuid. Returns the jobs. False removes the jobs and returns those that existed.

Idempotent. Locks nothing of schema tasker. The jobs belong to the caller and run with the caller's rights, so the caller must be a role that can log in and is a member of tasker_operator. Raises TK404 if pg_cron is not in this database, TK403 if the caller may not use schema cron.$$;

grant execute on function tasker.setup_cron to tasker_operator;
