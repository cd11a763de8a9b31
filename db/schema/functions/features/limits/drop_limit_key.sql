create or replace function tasker.drop_limit_key(
  p_namespace  text,
  p_name       text,
  p_limit_key  text,
  p_actor      text  default null,
  p_reason     text  default null
)
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
declare
  v_key      text := tasker.limit_key_of('$', to_jsonb(p_limit_key), null);
  v_limit_no integer;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  v_limit_no := tasker.lock_limit(p_namespace, p_name);
  delete from tasker.limit_bounds as b
   where b.limit_no = v_limit_no
     and b.limit_key = v_key
     and p_limit_key is not null;
  if not found then
    return false;
  end if;
  perform tasker.open_limit_key(v_limit_no, v_key);
  return true;
end;
$$;

comment on function tasker.drop_limit_key is
$$Removes the bounds that were set for one key of a limit. From the next claim on, the bounds of the limit apply to the key again, with the bound that the context of a task gave the key. Returns true if the key had bounds of its own.

Locks the limit's row for key share, then the key's row of tasker.limit_bounds. Raises TK404 if there is no such limit, TK413 if the actor's name is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.drop_limit_key to tasker_operator;
