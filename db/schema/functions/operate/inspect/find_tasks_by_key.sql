create or replace function tasker.find_tasks_by_key(
  p_identity_key  text,
  p_namespace     text  default null,
  p_name          text  default null
)
  returns setof tasker.task_details
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
  perform tasker.check_bound_namespaces(array[p_namespace]);
  if p_identity_key is null then
    raise exception using
      errcode = 'TK422',
      message = 'the identity key is null',
      hint    = 'It is the key that the task was created with.';
  end if;
  perform tasker.check_text_size('identity key', p_identity_key, 1000);

  -- An identity is unique for each name of a template, so each name costs one probe.
  return query
  select d.*
    from tasker.describe_tasks(array(
      select i.task_uuid
        from (
          select distinct n.name as namespace, k.name
            from tasker.named_tasks as k
            join tasker.task_namespaces as n
              on n.task_namespace_uuid = k.task_namespace_uuid
           where (p_namespace is null or n.name = p_namespace)
             and (p_name is null or k.name = p_name)
        ) as k
       cross join lateral (
         select i.task_uuid
           from tasker.task_identities as i
          where i.identity_hash = tasker.task_identity('caller_provided', k.namespace, k.name, null, null, p_identity_key)
         offset 0
       ) as i
    )) as d
   order by d.task_uuid desc;
end;
$$;

comment on function tasker.find_tasks_by_key is
$$Returns the tasks that were created with this identity key, newest first, without their contexts: at most one task for
each name of a template. With p_namespace or p_name, searches only the templates of this namespace or this name. A bound
caller finds only tasks of its own namespaces.

The cost is one probe of the identities for each name of a template. A key that has expired still finds its last task
while the task is kept. Raises TK422 without a key, TK413 for a key that is too long, and TK403 if the caller is bound
to other namespaces than p_namespace.$$;

grant execute on function tasker.find_tasks_by_key to tasker_orchestrator, tasker_operator, tasker_reader;
