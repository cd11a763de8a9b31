create or replace function tasklib.submit_tasks(
  p_name             text,
  p_kwargs           jsonb[],
  p_delay_seconds    double precision[]  default null,
  p_priorities       integer[]           default null,
  p_max_retries      integer[]           default null,
  p_timeout_seconds  integer[]           default null,
  p_tags             jsonb[]             default null,
  p_dedup_keys       text[]              default null,
  p_dedup_kept       boolean             default false,
  p_limit_keys       text[]              default null
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
  v_now        timestamptz := tasklib.clock();
  v_registered tasklib.registered_tasks;
  v_retries    integer;
  v_timeout    integer;
  v_caller     text := tasklib.caller_name();
  v_micros     bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
  v_time       bytea := tasklib.id_time(v_micros);
begin
  select r.*
    into v_registered
    from tasklib.registered_tasks as r
   where r.name = p_name;
  if not found then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  perform tasklib.check_submissions(
    p_kwargs, p_delay_seconds, p_priorities, p_max_retries, p_timeout_seconds, p_tags, p_dedup_keys, p_limit_keys
  );

  select (select s.value from tasklib.settings as s where s.name = 'max_retries'),
         nullif((select s.value from tasklib.settings as s where s.name = 'default_task_timeout_seconds'), '0')
    into v_retries, v_timeout;
  v_retries := coalesce(v_registered.max_retries, v_retries);
  v_timeout := coalesce(v_registered.timeout_seconds, v_timeout);

  -- Record that the name has limit keys. A claim of the name must know whether to read them.
  if p_limit_keys is not null and not v_registered.keyed and array_remove(p_limit_keys, null) <> '{}' then
    perform tasklib.begin_keys(p_name);
  end if;

  if p_dedup_keys is not null then
    return query
    select d.*
      from tasklib.submit_deduplicated(
        p_name, p_kwargs, p_delay_seconds, p_priorities, p_max_retries, p_timeout_seconds, p_tags, p_dedup_keys,
        coalesce(p_dedup_kept, false), p_limit_keys, v_now, v_time, v_retries, v_timeout, v_caller
      ) as d;
    perform tasklib.notify_ready(p_name);
    return;
  end if;

  return query
  with submitted as (
    insert into tasklib.tasks
      (id, created_at, scheduled_at, ready, priority, max_retries, timeout_seconds, name, submitted_by, kwargs, tags, limit_key)
    select
      tasklib.task_id(v_time, u.position),
      v_now,
      case when u.delay > 0 then v_now + make_interval(secs => u.delay) else v_now end,
      coalesce(u.delay, 0) = 0,
      coalesce(u.priority, 0),
      coalesce(u.max_retries, v_retries),
      coalesce(u.timeout, v_timeout),
      p_name,
      v_caller,
      u.kwargs,
      u.tags,
      u.limit_key
    from unnest(p_kwargs, p_delay_seconds, p_priorities, p_max_retries, p_timeout_seconds, p_tags, p_limit_keys)
         with ordinality as u (kwargs, delay, priority, max_retries, timeout, tags, limit_key, position)
    returning id
  )
  select (row_number() over (order by s.id))::integer, s.id, true
    from submitted as s
   order by s.id;
  perform tasklib.notify_ready(p_name);
end;
$$;

comment on function tasklib.submit_tasks is
$$Submits tasks of one name, one task for each JSON object in p_kwargs. Returns a row for each task, in the order of the array: the task's id, and whether this call created the task. The other arrays have a value for each task, or are null. A null value means the default: no delay, priority 0 (a higher priority is claimed first), the options of the name or the settings.

If a pending or running task of the name has the same deduplication key, returns that task instead of creating a task (created = false). If p_dedup_kept is true, the key stays taken after the task has ended, until the task is purged. The limit keys of a name take turns, and at most key_concurrency_limit tasks of a limit key run at the same time. The submission commits or rolls back with the caller's transaction. Locks the name's row only if the name gets its first limit key. Waits for another transaction that is submitting the same deduplication key. Raises TK404 if the name is not registered, TK413 if the arguments of a task are too large, TK422 for an invalid value.$$;

grant execute on function tasklib.submit_tasks
  to tasklib_submitter, tasklib_operator;
