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
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now     timestamptz := tasklib.clock();
  v_micros  bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
  v_keyed   boolean;
  v_bytes   integer;
  v_retries integer;
  v_timeout integer;
  v_made    tasklib.task_submissions;
begin
  p_kwargs := coalesce(p_kwargs, '{}');
  -- Another task may have this deduplication key, so use submit_tasks, which finds that task.
  if p_dedup_key is not null then
    return query
    select s.*
      from tasklib.submit_tasks(
        p_name, array[p_kwargs], array[p_delay_seconds], array[p_priority], array[p_max_retries], array[p_timeout_seconds],
        array[p_tags], array[p_dedup_key], p_dedup_kept, case when p_limit_key is not null then array[p_limit_key] end
      ) as s;
    return;
  end if;

  select r.keyed,
         (select s.value::integer from tasklib.settings as s where s.name = 'kwargs_bytes'),
         coalesce(p_max_retries, r.max_retries, (select s.value::integer from tasklib.settings as s where s.name = 'max_retries')),
         coalesce(
           p_timeout_seconds, r.timeout_seconds,
           (select nullif(s.value::integer, 0) from tasklib.settings as s where s.name = 'default_task_timeout_seconds')
         )
    into v_keyed, v_bytes, v_retries, v_timeout
    from tasklib.registered_tasks as r
   where r.name = p_name;
  if not found then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  if tasklib.submission_problem(
       p_kwargs, v_bytes, p_delay_seconds, p_max_retries, p_timeout_seconds, p_tags, null, p_limit_key
     ) is not null then
    perform tasklib.check_submissions(
      array[p_kwargs], array[p_delay_seconds], null, array[p_max_retries], array[p_timeout_seconds], array[p_tags], null, array[p_limit_key]
    );
  end if;
  if p_limit_key is not null and not v_keyed then
    perform tasklib.begin_keys(p_name);
  end if;

  insert into tasklib.tasks
    (id, created_at, scheduled_at, ready, priority, max_retries, timeout_seconds, name, submitted_by, kwargs, tags, limit_key)
  values (
    tasklib.task_id(tasklib.id_time(v_micros), 1),
    v_now,
    case when p_delay_seconds > 0 then v_now + make_interval(secs => p_delay_seconds) else v_now end,
    coalesce(p_delay_seconds, 0) = 0,
    coalesce(p_priority, 0),
    v_retries,
    v_timeout,
    p_name,
    tasklib.caller_name(),
    p_kwargs,
    p_tags,
    p_limit_key
  )
  returning 1, id, true into v_made;
  perform tasklib.notify_ready(p_name);
  return next v_made;
end;
$$;

comment on function tasklib.submit_task is
$$Submits one task, and returns the task's id and whether this call created the task. Has the same arguments, locks and errors as submit_tasks.$$;

grant execute on function tasklib.submit_task
  to tasklib_submitter, tasklib_operator;
