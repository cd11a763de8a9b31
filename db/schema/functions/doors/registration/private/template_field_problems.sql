create or replace function tasker.template_field_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
as $$
begin
  if jsonb_typeof(p_template -> 'input_schema') = 'object' then
    return query select p.* from tasker.input_schema_problems(p_template -> 'input_schema') as p;
  end if;
  if jsonb_typeof(p_template -> 'encrypted') = 'object' then
    return query select p.* from tasker.encryption_problems(p_template) as p;
  end if;
  if p_template ?| '{start_on,cancel_on}' then
    return query select p.* from tasker.event_trigger_problems(p_template) as p;
  end if;
  if jsonb_typeof(p_template -> 'runs') = 'object' then
    return query select p.* from tasker.run_problems(p_template -> 'runs') as p;
  end if;
  if jsonb_typeof(p_template -> 'attributes') = 'object' then
    return query select p.* from tasker.attribute_declaration_problems(p_template) as p;
  end if;
end;
$$;

comment on function tasker.template_field_problems is
$$Door: returns the problems that features find in the fields of a template itself (not of its steps).$$;
