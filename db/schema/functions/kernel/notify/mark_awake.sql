create or replace function tasker.mark_awake(p_sleeper_uuid uuid, p_channels text[])
  returns boolean
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
begin
  perform tasker.refuse_recovery();
  perform tasker.check_bound_namespaces(array(
    select split_part(u.channel, '.', 2)
      from unnest(p_channels) as u (channel)
     where u.channel like 'tasker\_steps\_ready.%'
  ));
  delete from tasker.sleepers as s
   where s.channel = any (p_channels)
     and s.sleeper_uuid = p_sleeper_uuid;
  return found;
end;
$$;

comment on function tasker.mark_awake is
$$Deletes the mark of mark_sleeping, so that transactions stop notifying for this client. Returns true if there was a mark. A client that has work and does not sleep calls this function. After a crash of the client the mark expires.

Idempotent. Locks the client's own rows of tasker.sleepers. Raises TK403 for a namespace that the caller is not bound to.$$;

grant execute on function tasker.mark_awake
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
