create or replace function tasker.list_limit_keys(p_namespace text, p_name text, p_limit integer default 100)
  returns setof tasker.limit_key_details
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
declare
  v_limit_no integer;
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 10000);
  select l.limit_no into v_limit_no from tasker.limits as l where l.namespace = p_namespace and l.name = p_name;
  if not found then
    perform tasker.raise_limit_not_found(p_namespace, p_name);
  end if;

  return query
  select
    q.limit_key, q.in_use, q.waiting,
    coalesce(greatest(extract(epoch from tasker.clock() - q.oldest), 0), 0)::double precision,
    tasker.next_limit_start(v_limit_no, q.limit_key)
  from (
    select
      q.limit_key,
      count(*) filter (where q.lane = 'running') as in_use,
      count(*) filter (where q.lane = 'limited') as waiting,
      min(q.visible_at) filter (where q.lane = 'limited') as oldest
      from tasker.step_queue as q
     where q.limit_no = v_limit_no
       and q.lane in ('running', 'limited')
     group by q.limit_key
     order by waiting desc, in_use desc, q.limit_key
     limit p_limit
  ) as q
  order by q.waiting desc, q.in_use desc, q.limit_key;
end;
$$;

comment on function tasker.list_limit_keys is
$$Returns the keys of a limit with steps that wait or run, the longest lines first: at most p_limit.

Reads the index of all steps that wait for the limit or run under it. Raises TK404 if there is no such limit, TK422 for a limit of rows out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_limit_keys
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
