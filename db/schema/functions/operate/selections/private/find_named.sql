create or replace function tasker.find_named(p_kind text, p_ids uuid[])
  returns setof tasker.selected_objects
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown uuid;
begin
  if p_kind = 'dead_letters' then
    perform tasker.check_bound_dlq_entry(u.id) from unnest(p_ids) as u (id);
    select u.id
      into v_unknown
      from unnest(p_ids) as u (id)
     where not exists (select from tasker.tasks_dlq as d where d.dlq_entry_uuid = u.id)
     order by u.id
     limit 1;
    if v_unknown is not null then
      perform tasker.raise_dlq_entry_not_found(v_unknown);
    end if;
    return query
    select d.dlq_entry_uuid, d.task_uuid, d.task_snapshot #>> '{task,namespace}'
      from tasker.tasks_dlq as d
     where d.dlq_entry_uuid = any (p_ids)
     order by d.dlq_entry_uuid;
    return;
  end if;

  perform tasker.check_bound_steps(p_ids);
  if p_kind = 'steps' then
    perform tasker.check_step_exists(u.id) from unnest(p_ids) as u (id) order by u.id;
  else
    select u.id
      into v_unknown
      from unnest(p_ids) as u (id)
     where not exists (select from tasker.tasks as t where t.task_uuid = u.id)
     order by u.id
     limit 1;
    if v_unknown is not null then
      perform tasker.raise_task_not_found(v_unknown);
    end if;
  end if;
  return query
  select u.id, t.task_uuid, n.name
    from (select distinct i.id from unnest(p_ids) as i (id)) as u
   cross join lateral (
     select t.task_uuid, t.named_task_uuid
       from tasker.tasks as t
      where t.task_uuid = case p_kind when 'steps' then tasker.task_uuid_of(u.id) else u.id end
     offset 0
   ) as t
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   order by u.id;
end;
$$;

comment on function tasker.find_named is
$$Returns the tasks, steps or dead letters with these UUIDs, each only once. Raises TK404 if one of them does not exist,
and TK403 if the caller is not bound to the namespace of its task.$$;
