create or replace function tasker.template_inputs(p_template jsonb, p_tasks tasker.tasks[])
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select
    'input', 'warn', null::text, null::text, null::text, 0::bigint,
    format('the context of schedule "%s" does not fit: %s', s.schedule, left(s.problem, 500)),
    jsonb_build_object('schedule', s.schedule, 'hint', 'Its ticks make no task of this version.')
  from (
    select s.schedule, tasker.payload_problem(p_template -> 'input_schema', s.context, 'context') as problem
      from tasker.schedules as s
     where s.namespace = p_template ->> 'namespace'
       and s.task_name = p_template ->> 'name'
       and coalesce(s.task_version, p_template ->> 'version') = p_template ->> 'version'
     order by s.schedule
     limit 1000
  ) as s
  where s.problem is not null
  order by s.schedule
  limit 100;

  return query
  select
    'input', 'warn', k.version, null::text, null::text, count(*),
    format('a fork of %s open tasks of version "%s" to it is refused: %s', count(*), k.version, left(min(t.problem), 500)),
    jsonb_build_object('tasks', to_jsonb((array_agg(t.task_uuid order by t.task_uuid desc))[:10]))
  from (
    select t.task_uuid, t.named_task_uuid, tasker.payload_problem(p_template -> 'input_schema', t.context, 'context') as problem
      from unnest(p_tasks) as t
  ) as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
   and k.version is distinct from p_template ->> 'version'
  where t.problem is not null
  group by k.version
  order by k.version
  limit 100;
end;
$$;

comment on function tasker.template_inputs is
$$Returns the schedules of a template and the open tasks of its other versions whose contexts do not fit the schema of
the version's input. Returns no row if the version has no schema.$$;
