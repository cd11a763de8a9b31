create or replace function tasker.get_task_attributes(p_task_uuids uuid[])
  returns setof tasker.attribute_values
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
  perform tasker.check_array_size('tasks', cardinality(p_task_uuids), 10000);
  perform tasker.check_bound(u.task_uuid) from unnest(p_task_uuids) as u (task_uuid);
  return query
  select
    a.task_uuid, n.name, n.type,
    case n.type when 'number' then to_jsonb(a.number_value) when 'time' then to_jsonb(a.time_value) else to_jsonb(a.text_value) end,
    a.problem, s.name, a.changed_at
    from unnest(p_task_uuids) with ordinality as u (task_uuid, place)
   cross join lateral (
     select a.* from tasker.task_attributes as a where a.task_uuid = u.task_uuid offset 0
   ) as a
    join tasker.attributes as n
      on n.attribute_no = a.attribute_no
    left join tasker.workflow_steps as s
      on s.task_uuid = a.task_uuid
     and s.step_no = a.step_no
   where num_nonnulls(a.text_value, a.number_value, a.time_value, a.problem) > 0
   order by u.place, n.name;
end;
$$;

comment on function tasker.get_task_attributes is
$$Returns the attributes of tasks, in the order of the given tasks, then by the name of the attribute. A task without attributes has no row. Raises TK413 for more than 10,000 tasks, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_attributes to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
