create or replace function tasker.expire_tasks(p_task_uuids uuid[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
as $$
begin
  perform tasker.move_task(t, 'Timeout', 'error', null, '{"reason": "its deadline has passed"}', null)
     from unnest(p_task_uuids) as u (task_uuid)
     join tasker.tasks as t
       on t.task_uuid = u.task_uuid
    where not t.complete;
end;
$$;

comment on function tasker.expire_tasks(uuid[]) is
$$The deadline of these tasks has passed: those that are open fail. The caller holds their locks.$$;

revoke all on function tasker.expire_tasks(uuid[]) from public;
