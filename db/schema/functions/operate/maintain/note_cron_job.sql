create or replace function tasker.note_cron_job(
  p_job_name  text,
  p_was       text,
  p_becomes   text,
  p_actor     text  default null,
  p_reason    text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  if (p_job_name in ('pgtasker-maintenance', 'pgtasker-orchestrate', 'pgtasker-sql', 'pgtasker-sql-alone') and num_nonnulls(p_was, p_becomes) > 0) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('%s is not a change of a job of pgtasker', coalesce('"' || left(p_job_name, 100) || '"', 'null')),
      hint    = 'Call tasker.setup_cron(), which notes what it changes.';
  end if;
  perform tasker.check_text_size('job', p_was, 4000);
  perform tasker.check_text_size('job', p_becomes, 4000);
  perform tasker.note_administration(
    'cron_jobs', p_job_name, null, case when p_was is null then 'insert' when p_becomes is null then 'delete' else 'update' end,
    to_jsonb(p_was), to_jsonb(p_becomes)
  );
  return true;
end;
$$;

comment on function tasker.note_cron_job is
$$Writes into tasker.administration_log that a job of pg_cron has changed, and returns true. Only tasker.setup_cron
calls this function. Jobs belong to the caller, so setup_cron runs with the rights of the caller. With these rights
alone it could not write the log.

Locks no row. Raises TK422 for a job that setup_cron does not create, TK413 for a long text, and TK403 if the caller is
bound to namespaces.$$;

grant execute on function tasker.note_cron_job to tasker_operator;
