create or replace function tasklib.log_action(
  p_action  text,
  p_id      uuid,
  p_name    text,
  p_detail  jsonb
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into tasklib.task_actions (task_id, name, action, actor, acted_at, detail)
  values (p_id, p_name, p_action, tasklib.caller_name(), tasklib.clock(), coalesce(jsonb_strip_nulls(p_detail), '{}'));
end;
$$;

comment on function tasklib.log_action is
$$Records an operator's action on a task or a name in tasklib.task_actions.$$;
