create or replace function tasker.template_conditions(p_template jsonb)
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_recent uuid[];
begin
  v_recent := array(
    select t.task_uuid
      from tasker.named_tasks as k
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     cross join lateral (
       select t.task_uuid
         from tasker.tasks as t
        where t.named_task_uuid = k.named_task_uuid
        order by t.task_uuid desc
        limit 100
     ) as t
     where n.name = p_template ->> 'namespace'
       and k.name = p_template ->> 'name'
     order by t.task_uuid desc
     limit 100
  );
  return query
  select
    'condition', 'warn', null::text, c.step, null::text, 0::bigint,
    case
      when c.held = 0 then format('none of the last %s results of step "%s" satisfies the condition of step "%s"', c.results, c.parent, c.step)
      else format('each of the last %s results of step "%s" satisfies the condition of step "%s"', c.results, c.parent, c.step)
    end,
    jsonb_build_object('parent', c.parent, 'condition', c.condition, 'results', c.results, 'satisfied', c.held)
  from (
    select
      s.value ->> 'name' as step, d.value ->> 'step' as parent, d.value ->> 'when' as condition, min(s.no) as no,
      count(p.step_no) as results,
      count(p.step_no) filter (where tasker.condition_holds((d.value ->> 'when')::jsonpath, p.results)) as held
    from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
    cross join lateral jsonb_array_elements(s.value -> 'dependencies') as d (value)
    left join lateral (
      select p.step_no, p.results
        from unnest(v_recent) as r (task_uuid)
       cross join lateral (
         select p.step_no, p.results
           from tasker.workflow_steps as p
          where p.task_uuid = r.task_uuid
            and p.name = d.value ->> 'step'
            and p.state in ('complete', 'resolved_manually')
            and p.expansion is null
       ) as p
       limit 100
    ) as p
      on true
    where d.value ? 'when'
    group by s.value ->> 'name', d.value ->> 'step', d.value ->> 'when'
    order by min(s.no), d.value ->> 'step'
    limit 100
  ) as c
  where c.results > 0
    and (c.held = 0 or c.held = c.results);
end;
$$;

comment on function tasker.template_conditions is
$$Returns the conditions of a template that are satisfied by none or by all of the recent results of their steps. Reads
the results of the newest hundred tasks of all versions of the template. Leaves out conditions on maps.$$;
