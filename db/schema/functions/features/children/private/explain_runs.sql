create or replace function tasker.explain_runs(p_wait jsonb)
  returns text
  language plpgsql
  stable
as $$
declare
  v_name text := p_wait #>> '{tasks,0,name}';
  v_all  integer := jsonb_array_length(p_wait -> 'tasks');
  v_open record;
begin
  if not p_wait ? 'started' then
    return format('Its function is about to start %s tasks of "%s": the next claim or orchestrator does.', v_all, v_name);
  end if;
  select count(*) as count, min(t.task_uuid::text) as task_uuid, (array_agg(t.state order by t.task_uuid))[1] as state
    into v_open
    from jsonb_array_elements_text(p_wait -> 'started') as u (task_uuid)
   cross join lateral (
     select t.task_uuid, t.state
       from tasker.tasks as t
      where t.task_uuid = u.task_uuid::uuid
        and not t.complete
     offset 0
   ) as t;
  return format(
    'Its function waits for %s tasks, of which %s are open%s.', v_all, v_open.count,
    case when v_open.count > 0 then format(': task %s ("%s"), which is %s%s', v_open.task_uuid, v_name, v_open.state,
      case when v_open.count > 1 then ', and others' else '' end) else '' end
  );
end;
$$;

comment on function tasker.explain_runs is
$$Explains which tasks the durable function of a step waits for.$$;
