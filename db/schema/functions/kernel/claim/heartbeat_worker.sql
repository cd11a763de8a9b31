create or replace function tasker.heartbeat_worker(p_worker_uuid uuid)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_worker(p_worker_uuid, true);
  update tasker.workers as w
     set last_seen_at = tasker.clock()
   where w.worker_uuid = p_worker_uuid;
  return found;
end;
$$;

comment on function tasker.heartbeat_worker is
$$Records a worker's heartbeat. Returns false for an unknown worker, which should then be registered again. A claim also records a heartbeat. Locks the worker's row. Raises TK403 if the worker belongs to another role.$$;

grant execute on function tasker.heartbeat_worker to tasker_worker, tasker_orchestrator, tasker_operator;
