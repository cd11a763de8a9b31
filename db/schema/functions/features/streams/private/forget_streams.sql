create or replace function tasker.forget_streams(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  if not exists (select from tasker.step_streams as h where h.task_uuid = p_task_uuid) then
    return;
  end if;
  perform set_config('tasker.forgets', 'on', true);
  -- A call that began to append before the task ended holds the stream's row. So this deletion waits for that call, and
  -- the next statement sees its items.
  delete from tasker.step_streams as h where h.task_uuid = p_task_uuid;
  delete from tasker.stream_items as i where i.task_uuid = p_task_uuid;
  perform set_config('tasker.forgets', '', true);
end;
$$;

comment on function tasker.forget_streams is
$$Deletes the values and streams of a task. The caller holds the task's lock.$$;
