create or replace function tasker.check_template_change(p_template jsonb)
  returns setof tasker.template_findings
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
  v_template jsonb;
  v_tasks    tasker.tasks[];
begin
  perform tasker.check_depth('template', p_template);
  return query
  select
    'problem', 'fail', null::text, null::text, null::text, 0::bigint, concat_ws(' ', nullif(p.path, ''), p.problem),
    jsonb_strip_nulls(jsonb_build_object('path', p.path, 'hint', p.hint))
  from tasker.validate_task_template(p_template) as p;
  if found then
    return;
  end if;
  v_template := tasker.normalize_template(p_template);
  perform tasker.check_bound_namespaces(array[v_template ->> 'namespace']);
  v_tasks := array(select t from tasker.template_open_tasks(v_template ->> 'namespace', v_template ->> 'name') as t);

  return query select f.* from tasker.template_registered(v_template, nullif(p_template -> 'types', 'null')) as f;
  return query select f.* from tasker.template_changes(v_template, v_tasks) as f;
  return query select f.* from tasker.template_conditions(v_template) as f;
  return query select f.* from tasker.template_handlers(v_template) as f;
  if v_template ? 'input_schema' then
    return query select f.* from tasker.template_inputs(v_template, v_tasks) as f;
  end if;
  return query select f.* from tasker.template_forks(v_template, v_tasks) as f;
  return query select f.* from tasker.template_bounds(v_template ->> 'namespace', v_template ->> 'name', v_tasks) as f;
end;
$$;

comment on function tasker.check_template_change is
$$Returns findings about the deployment of a version of a template to this database. The findings say whether the
version can be registered, how many open tasks of which other version use its handlers, and which of its handlers no
running worker has. The findings name steps that open tasks have not settled yet and that the version does not have, and
conditions that none or all of the recent results satisfy. The findings say which steps run again if the open tasks are
forked to the version, and which schedules and open tasks have a context that does not fit the version's input schema.
The findings also have the digests of the types that programs named for the version, and the programs that were refused
under this version, as list_refused_programs() returns them.

Changes nothing. Reads at most the newest 1,000 open tasks of the template among the newest 100,000 open tasks. For
forks it reads the newest 100 of these tasks, and for conditions the newest 100 tasks of the template. If it did not
read all tasks, a finding "bound" says how many of how many it read. Raises TK422 for a template that is too deep, and
TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.check_template_change to tasker_orchestrator, tasker_operator, tasker_reader;
