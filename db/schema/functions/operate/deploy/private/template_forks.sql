create or replace function tasker.template_forks(p_template jsonb, p_tasks tasker.tasks[])
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  with new_steps as materialized (
    select s.value ->> 'name' as name, s.no
      from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
  ),
  new_edges as materialized (
    select coalesce(d.value ->> 'step', d.value #>> '{}') as parent, s.value ->> 'name' as child
      from jsonb_array_elements(p_template -> 'steps') as s (value)
     cross join lateral jsonb_array_elements(s.value -> 'dependencies') as d (value)
  ),
  forks as (
    select k.version, t.task_uuid, f.from_step, a.again
      from (select t.* from unnest(p_tasks) as t order by t.task_uuid desc limit 100) as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
       and k.version is distinct from p_template ->> 'version'
     cross join lateral (
       -- The first step that a fork has to run. The fork repeats the task from this step on.
       select n.name as from_step
         from new_steps as n
        where not exists (
          select
            from tasker.workflow_steps as s
           where s.task_uuid = t.task_uuid
             and s.name = n.name
             and s.state in ('complete', 'resolved_manually')
        )
        order by n.no
        limit 1
     ) as f
     cross join lateral (
       with recursive edges as materialized (
         select e.parent, e.child from new_edges as e
         union
         select p.name, c.name
           from tasker.workflow_step_edges as e
           join tasker.workflow_steps as p
             on p.task_uuid = e.task_uuid
            and p.step_no = e.from_step_no
           join tasker.workflow_steps as c
             on c.task_uuid = e.task_uuid
            and c.step_no = e.to_step_no
          where e.task_uuid = t.task_uuid
       ),
       below (name) as (
         values (f.from_step)
         union
         select e.child from below as b join edges as e on e.parent = b.name
       )
       select coalesce(array_agg(s.name order by s.step_no), '{}') as again
         from tasker.workflow_steps as s
        where s.task_uuid = t.task_uuid
          and s.map_no is null
          and s.undo_no is null
          and s.state in ('complete', 'resolved_manually')
          and s.name in (select n.name from new_steps as n)
          and s.name in (select b.name from below as b)
     ) as a
     where t.total_steps <= 1000
  )
  select
    'fork', case when f.again = '{}' then 'ok' else 'warn' end, f.version, f.from_step, null::text, count(*),
    format(
      'a fork of %s open tasks of version "%s" from step "%s" runs %s again', count(*), f.version, f.from_step,
      case when f.again = '{}' then 'no finished step' else array_to_string(f.again[:10], ', ') || case when cardinality(f.again) > 10 then ' and others' else '' end end
    ),
    jsonb_build_object('again', to_jsonb(f.again), 'tasks', to_jsonb((array_agg(f.task_uuid order by f.task_uuid desc))[:10]))
  from forks as f
  group by f.version, f.from_step, f.again
  order by f.version, count(*) desc, f.from_step
  limit 100;
end;
$$;

comment on function tasker.template_forks is
$$Returns the steps that run again if the newest hundred open tasks are forked to a new version. The returned steps are
the finished steps below the first step that a fork has to run, in the graph of the version or of the task. Leaves out
tasks with more than a thousand steps.$$;
