create or replace function tasklib.submit_task(
  p_name             text,
  p_kwargs           jsonb             default '{}',
  p_delay_seconds    double precision  default 0,
  p_priority         integer           default 0,
  p_max_retries      integer           default null,
  p_timeout_seconds  integer           default null,
  p_tags             jsonb             default null,
  p_dedup_key        text              default null,
  p_dedup_kept       boolean           default false,
  p_limit_key        text              default null
)
  returns setof tasklib.task_submissions
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select s.*
    from tasklib.submit_tasks(
      p_name, array[p_kwargs], array[p_delay_seconds], array[p_priority], array[p_max_retries], array[p_timeout_seconds],
      array[p_tags], case when p_dedup_key is not null then array[p_dedup_key] end, p_dedup_kept,
      case when p_limit_key is not null then array[p_limit_key] end
    ) as s;
end;
$$;

comment on function tasklib.submit_task(text, jsonb, double precision, integer, integer, integer, jsonb, text, boolean, text) is
$$Submits one task and returns its id and whether this call created it: submit_tasks for one task, with the same arguments, locks and errors.$$;

revoke all on function tasklib.submit_task(text, jsonb, double precision, integer, integer, integer, jsonb, text, boolean, text) from public;
grant execute on function tasklib.submit_task(text, jsonb, double precision, integer, integer, integer, jsonb, text, boolean, text)
  to tasklib_submitter, tasklib_operator;
