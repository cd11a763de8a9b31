create or replace function tasker.input_schema_problems(p_schema jsonb)
  returns setof tasker.template_problems
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text := tasker.schema_problem(p_schema, 'input_schema');
begin
  if octet_length(p_schema::text) > 16384 then
    return query select 'input_schema', 'has more than 16,384 bytes', 'Leave to the first step what a schema of this size is to check.';
  elsif v_problem is not null then
    return query
    select split_part(v_problem, ' ', 1), substr(v_problem, strpos(v_problem, ' ') + 1), 'Other keywords are refused, so that no schema promises more than is checked.';
  elsif p_schema ? 'type' and not p_schema -> 'type' ? 'object' then
    return query select 'input_schema.type', 'must be object', 'The context of a task is a JSON object.';
  end if;
end;
$$;

comment on function tasker.input_schema_problems is
$$Returns the problems of a template's input schema: it is too large, has unknown or invalid keywords, or no object fits it.$$;
