create or replace function tasker.template_changes(p_template jsonb, p_tasks tasker.tasks[])
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind     tasker.named_tasks;
  v_handlers text[] := array(select tasker.handler_of(s.value) from jsonb_array_elements(p_template -> 'steps') as s (value));
  v_shared   text[];
  v_open     uuid[];
begin
  for v_kind in
    select k.*
      from tasker.named_tasks as k
     where k.named_task_uuid in (select t.named_task_uuid from unnest(p_tasks) as t)
       and k.version is distinct from p_template ->> 'version'
     order by k.created_at desc
     limit 100
  loop
    v_open := array(select t.task_uuid from unnest(p_tasks) as t where t.named_task_uuid = v_kind.named_task_uuid);
    v_shared := array(
      select distinct h.name
        from tasker.named_tasks_named_steps as s
        join tasker.named_steps as h
          on h.named_step_uuid = s.named_step_uuid
       where s.named_task_uuid = v_kind.named_task_uuid
         and s.await is null
         and h.name = any (v_handlers)
       order by h.name
       limit 100
    );
    return query
    select
      'open_tasks', case when v_shared = '{}' then 'ok' else 'warn' end, v_kind.version, null::text, null::text, cardinality(v_open)::bigint,
      case
        when v_shared = '{}' then format('%s open tasks of version "%s" have handlers of their own', cardinality(v_open), v_kind.version)
        else format(
          '%s open tasks of version "%s" meet the new handlers: %s', cardinality(v_open), v_kind.version,
          array_to_string(v_shared[:10], ', ') || case when cardinality(v_shared) > 10 then ' and others' else '' end
        )
      end,
      jsonb_build_object('handlers', to_jsonb(v_shared), 'tasks', to_jsonb(v_open[:10]));

    return query
    select
      'vanished_step', 'warn', v_kind.version, s.name, min(h.name), count(*),
      format('%s open tasks of version "%s" have yet to settle step "%s", which the new version does not have', count(*), v_kind.version, s.name),
      jsonb_build_object('tasks', to_jsonb((array_agg(s.task_uuid))[:10]))
    from unnest(v_open) as o (task_uuid)
    cross join lateral (
      select s.task_uuid, s.name, s.named_step_uuid
        from tasker.workflow_steps as s
       where s.task_uuid = o.task_uuid
         and s.map_no is null
         and s.undo_no is null
         and s.state not in ('complete', 'cancelled', 'resolved_manually')
      offset 0
    ) as s
    join tasker.named_steps as h
      on h.named_step_uuid = s.named_step_uuid
    where not exists (select from jsonb_array_elements(p_template -> 'steps') as n (value) where n.value ->> 'name' = s.name)
    group by s.name
    order by count(*) desc, s.name
    limit 100;
  end loop;
end;
$$;

comment on function tasker.template_changes is
$$Returns findings about open tasks of other versions of a template: which of these tasks have handlers that the new
version has, too, and which of their unsettled steps the new version does not have.$$;
