create or replace function tasker.calculate_staleness_threshold(p_state text, p_lifecycle jsonb default null)
  returns integer
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_state tasker.task_state := tasker.parse_task_state(p_state);
  v_field text;
begin
  select f.key
    into v_field
    from jsonb_each(case when jsonb_typeof(p_lifecycle) = 'object' then p_lifecycle else '{}' end) as f
   where f.key like E'max\\_%\\_minutes'
     and f.value::text !~ '^[1-9][0-9]{0,6}$'
   limit 1;

  if v_field is not null or coalesce(jsonb_typeof(p_lifecycle), 'object') <> 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'the lifecycle is invalid',
      detail  = coalesce(format('"%s" is %s.', v_field, p_lifecycle -> v_field), format('It is %s.', left(p_lifecycle::text, 100))),
      hint    = 'A lifecycle is an object whose max_…_minutes are whole minutes above 0.';
  end if;

  return tasker.staleness_threshold(
    v_state,
    (p_lifecycle ->> 'max_waiting_for_dependencies_minutes')::integer,
    (p_lifecycle ->> 'max_waiting_for_retry_minutes')::integer,
    (p_lifecycle ->> 'max_steps_in_process_minutes')::integer,
    null
  );
end;
$$;

comment on function tasker.calculate_staleness_threshold is
$$Returns after how many minutes without progress a task in this state is stale. The number comes from the template's
lifecycle, or else from the setting. Returns null for a terminal state.

Raises TK422 for an unknown state or an invalid lifecycle.$$;

grant execute on function tasker.calculate_staleness_threshold
  to tasker_orchestrator, tasker_operator, tasker_reader;
