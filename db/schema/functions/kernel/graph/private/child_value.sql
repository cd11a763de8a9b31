create or replace function tasker.child_value(p_value jsonb, p_context jsonb, p_results jsonb, p_inputs jsonb default '{}')
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when jsonb_typeof(p_value) = 'object' and p_value ? 'value' and p_value - 'value' = '{}' then p_value -> 'value'
    when not tasker.is_child_reference(p_value) then p_value
    when jsonb_typeof(p_value) = 'string' then jsonb_path_query_first(
      p_context, tasker.stored_path(p_value #>> '{}'), jsonb_build_object('inputs', p_inputs), true
    )
    else jsonb_path_query_first(
      case when p_value ? 'step' then p_results -> (p_value ->> 'step') else p_context end,
      tasker.stored_path(coalesce(p_value ->> 'path', '$')), jsonb_build_object('inputs', p_inputs), true
    )
  end;
end;

comment on function tasker.child_value is
$$Returns a value for the context of a child task: the value that a reference finds in the parent's context, in the
results of a step, or in the step's own inputs ($inputs), and null if the reference finds no value. For an object
{"value": …}, returns that value. Returns any other value unchanged.$$;
