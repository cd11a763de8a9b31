create or replace function tasker.check_stream_name(p_step_uuid uuid, p_name text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_step_uuid is null then
    raise exception using
      errcode = 'TK422',
      message = 'the step is null',
      hint    = 'Pass the UUID of the step.';
  elsif (p_name ~ '^[a-zA-Z0-9][a-zA-Z0-9_.-]*$' and octet_length(p_name) <= 63) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('%s is no name of a value or a stream', coalesce(quote_literal(left(p_name, 100)), 'null')),
      hint    = 'Give a name of at most 63 letters, digits and the characters . _ -, beginning with a letter or a digit.';
  end if;
end;
$$;

comment on function tasker.check_stream_name is
$$Raises TK422 if the step is null, or if p_name is not a valid name of a value or a stream.$$;
