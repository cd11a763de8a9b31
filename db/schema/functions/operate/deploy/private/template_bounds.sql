create or replace function tasker.template_bounds(p_namespace text, p_name text, p_tasks tasker.tasks[])
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_judged bigint := cardinality(p_tasks);
  v_forks  bigint;
  v_open   bigint;
  v_read   bigint;
begin
  select count(*) filter (where t.mine), count(*)
    into v_open, v_read
    from (
      select t.named_task_uuid = any (array(
        select k.named_task_uuid
          from tasker.named_tasks as k
          join tasker.task_namespaces as n
            on n.task_namespace_uuid = k.task_namespace_uuid
         where n.name = p_namespace
           and k.name = p_name
      )) as mine
        from tasker.tasks as t
       where not t.complete
       order by t.task_uuid desc
       limit 100001
    ) as t;
  -- Count the tasks that template_forks reads.
  v_forks := (
    select count(*)
      from (select t.total_steps from unnest(p_tasks) as t order by t.task_uuid desc limit 100) as t
     where t.total_steps <= 1000
  );
  return query
  select
    'bound', 'warn', null::text, null::text, null::text, v_open,
    concat_ws(
      '; ',
      case when v_judged < v_open then format('only the newest %s of %s open tasks were judged', v_judged, v_open) end,
      case when v_forks < v_judged then format('only forks of %s of %s open tasks were judged', v_forks, v_open) end,
      case when v_read > 100000 then 'of the open tasks of all templates only the newest 100000 were read' end
    ),
    jsonb_build_object('open', v_open, 'judged', v_judged, 'forks', v_forks, 'all_read', v_read <= 100000)
  where v_judged < v_open
     or v_forks < v_judged
     or v_read > 100000;
end;
$$;

comment on function tasker.template_bounds is
$$Returns a finding if check_template_change does not read all open tasks of a template: how many of how many tasks it
reads.$$;
