create or replace function tasker.raise_step_not_found(p_step_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = format('step %s does not exist', coalesce(p_step_uuid::text, 'null')),
    hint    = 'A step''s UUID is its task''s with the step''s number in the last four digits.';
end;
$$;

comment on function tasker.raise_step_not_found is
$$Raises TK404 for a step.$$;
