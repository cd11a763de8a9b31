create or replace function tasker.refuse_graph_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_template text;
begin
  select format('%s version %s', k.name, k.version)
    into v_template
    from (select distinct r.named_task_uuid from changed_rows as r) as c
    join tasker.named_tasks as k
      on k.named_task_uuid = c.named_task_uuid
   where exists (select from tasker.tasks as t where t.named_task_uuid = c.named_task_uuid)
   limit 1;

  if found then
    raise exception using
      errcode = 'TK409',
      message = format('the graph of template %s cannot change, because tasks use it', v_template),
      detail  = 'Tasks read the edges of their template; they have no copy.',
      hint    = 'Register a new version, or add edges to a running task: tasker.add_step_edge().';
  end if;
  return null;
end;
$$;

comment on function tasker.refuse_graph_change is
$$Trigger function: refuses changes to the edges of a template that tasks use. Raises TK409.$$;
