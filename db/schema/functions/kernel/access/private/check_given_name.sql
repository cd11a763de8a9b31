create or replace function tasker.check_given_name(p_name text, p_text text, p_limit integer)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_text is null then
    return;
  end if;
  perform tasker.check_text_size(p_name, p_text, p_limit);
  if p_text ~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]' then
    raise exception using
      errcode = 'TK422',
      message = format('the %s has a line break or another control character', p_name),
      hint    = 'It is a name of one line, which histories show.';
  elsif p_text ~* '(^|,)\s*((token|schedule|person)\M|task\s+[0-9a-f]{8}-)'
        -- tasker serve sets the name of the token or of the person itself.
        and p_text is distinct from (case when tasker.token_name() like 'person %' then '' else 'token ' end || tasker.token_name()) then
    raise exception using
      errcode = 'TK422',
      message = format('the %s cannot be "%s"', p_name, left(p_text, 100)),
      detail  = 'Histories name tokens, people who signed in, schedules and tasks so.',
      hint    = 'Name the person or the program, without "token", "person", "schedule" or a task at the beginning.';
  end if;
end;
$$;

comment on function tasker.check_given_name is
$$Raises TK413 if the name that a caller gives itself is longer than p_limit characters (null: no limit). Raises TK422 if the name has control characters or looks like a name that the engine assigns, unless it is the name of the caller's own token.$$;
