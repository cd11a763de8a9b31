create or replace function tasker.normal_step(p_step jsonb, p_dependencies jsonb, p_plain jsonb)
  returns jsonb
  language plpgsql
  immutable
as $$
begin
  return case
    when jsonb_typeof(p_step -> 'await') <> 'null' then tasker.normalize_await(p_step, p_dependencies)
    when jsonb_typeof(p_step -> 'task') <> 'null' then tasker.normalize_child(p_step, p_dependencies) || tasker.normalize_map(p_step)
    else p_plain || tasker.normalize_map(p_step) || tasker.normalize_sql(p_step) || tasker.normalize_limits(p_step)
  end;
end;
$$;

comment on function tasker.normal_step is
$$Door: returns a valid step of a template in normal form. p_plain is the normal form of the step without the fields of features.$$;
