create or replace function tasklib.get_task(
  p_id uuid
)
  returns setof tasklib.task_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    t.id, t.name, t.state, t.priority, t.created_at, t.submitted_by, t.scheduled_at, t.started_at, t.completed_at,
    t.locked_until, t.worker_id, t.claim_no, t.retry_count, t.max_retries, t.next_retry_at, t.timeout_seconds,
    t.expires_at, t.dedup_key, t.limit_key, t.kwargs, t.tags, t.result, t.error, t.erased_at
  from tasklib.tasks as t
  where t.id = p_id;
  if not found then
    perform tasklib.raise_task_not_found(p_id);
  end if;
end;
$$;

comment on function tasklib.get_task is
$$Returns a task with all its data. Raises TK404 if the task does not exist.$$;

grant execute on function tasklib.get_task to tasklib_submitter, tasklib_operator, tasklib_reader;
