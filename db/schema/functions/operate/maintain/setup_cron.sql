create or replace function tasker.setup_cron(
  p_enabled  boolean  default true,
  p_actor    text     default null,
  p_reason   text     default null
)
  returns setof tasker.cron_jobs
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_job tasker.cron_jobs;
  v_was text;
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
        ('orchestrate', '* * * * *', 'select tasker.orchestrate(p_processor_uuid => md5(''pg_cron'')::uuid)'),
        (
          -- Run ready SQL steps for almost a minute, if a role is bound for them.
          'sql', '* * * * *',
          'do $do$ declare v_end timestamptz := clock_timestamp() + interval ''55 s''; v_more boolean; begin loop '
            || 'select r.more into v_more from tasker.run_sql_steps() as r; commit; '
            || 'exit when clock_timestamp() > v_end or not exists (select from tasker.list_sql_functions() as f where f.role is not null); '
            || 'if not v_more then perform pg_sleep(0.5); end if; end loop; end $do$'
        ),
        -- SQL steps that must be alone in their call, because the time-out of a statement can only be set before the
        -- statement begins.
        ('sql-alone', '* * * * *', 'select tasker.begin_sql_step(); select tasker.run_sql_steps(1)')
      ) as j (name, schedule, command)
  loop
    -- If another login has a job with the same name, it is a different job.
    execute $q$ select j.jobid, j.schedule || ' ' || j.command from cron.job as j where j.jobname = $1 and j.username = current_user $q$
       into v_job.job_id, v_was
      using v_job.job_name;
    if coalesce(p_enabled, true) then
      execute 'select cron.schedule($1, $2, $3)'
         into v_job.job_id
        using v_job.job_name, v_job.schedule, v_job.command;
      if v_was is distinct from v_job.schedule || ' ' || v_job.command then
        perform tasker.note_cron_job(v_job.job_name, v_was, v_job.schedule || ' ' || v_job.command, p_actor, p_reason);
      end if;
      return next v_job;
    elsif v_job.job_id is not null then
      -- pg_cron raises an error for a job that does not exist.
      execute 'select cron.unschedule($1)' using v_job.job_id;
      perform tasker.note_cron_job(v_job.job_name, v_was, null, p_actor, p_reason);
      return next v_job;
    end if;
  end loop;
end;
$$;

comment on function tasker.setup_cron is
$$Creates jobs of pg_cron that run every minute, and returns them. One job calls tasker.run_maintenance until no duty is
due, each time in its own transaction. Another job calls tasker.orchestrate, and appears in the logs as the processor
md5('pg_cron')::uuid. If a role is bound for SQL steps, other jobs run SQL steps. These jobs run ready SQL steps within
half a second, and each minute one SQL step that must be alone in its call because of its time-out. If p_enabled is
false, removes the jobs and returns the removed jobs. The log of administration says which jobs changed.

Idempotent. Locks no row of schema tasker. The jobs belong to the caller and run with the caller's rights, so the caller
must be a role that can log in and is a member of tasker_operator. Raises TK404 if pg_cron is not in this database, and
TK403 if the caller may not use schema cron or is bound to namespaces.$$;

grant execute on function tasker.setup_cron to tasker_operator;
