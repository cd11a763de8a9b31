create or replace function tasker.explain_sql(
  p_namespace  text,
  p_handler    text,
  p_task_uuid  uuid,
  p_step_no    integer,
  p_state      tasker.step_state
)
  returns text
  language plpgsql
  stable
as $$
declare
  v_function text := tasker.sql_function_of(p_handler);
  v_problem  text;
  v_attempt  tasker.sql_attempts;
begin
  if v_function is null then
    return null;
  end if;
  v_problem := (tasker.sql_function_problem(p_namespace, v_function))[2];
  if v_problem is null and p_namespace <> all (tasker.intact_sql_roles()) then
    v_problem := 'the function of schema tasker_sql that calls it is gone or changed';
  end if;
  if p_state = 'in_progress' then
    select a.* into v_attempt from tasker.sql_attempts as a where a.task_uuid = p_task_uuid and a.step_no = p_step_no;
  end if;
  return concat_ws(
    ' ',
    format(' It calls %s', v_function)
      || coalesce(' as role "' || (select r.role::text from tasker.sql_roles as r where r.namespace = p_namespace) || '"', '') || '.',
    'It cannot: ' || v_problem || '.',
    case when v_attempt.task_uuid is not null then 'It waits for a call of its own.' end,
    case when v_attempt.conflicts > 0 then format('Its call ended in a conflict %s times.', v_attempt.conflicts) end
  );
end;
$$;

comment on function tasker.explain_sql is
$$Returns sentences about the SQL function that a step calls: its role and, if it cannot be called, the reason. Returns null for other steps.$$;
