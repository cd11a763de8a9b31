create or replace function tasker.template_field_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
as $$
begin
  return query select p.* from tasker.input_schema_problems(p_template -> 'input_schema') as p;
end;
$$;

comment on function tasker.template_field_problems is
$$Door: returns the problems of a template's own fields that a feature sees.$$;
