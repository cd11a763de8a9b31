create or replace function tasker.token_name()
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Any session may change the setting, but only the sessions of tasker serve are trusted.
  if nullif(current_setting('tasker.token', true), '') is null
     or not pg_has_role(session_user, 'tasker_server', 'member') then
    return null;
  end if;
  return current_setting('tasker.token');
end;
$$;

comment on function tasker.token_name is
$$Returns the name of the access token for which tasker serve runs this transaction, or, for a person who signed in, "person", the e-mail address and the subject. Returns null for every other caller. The name of a token has no space, so that the two cannot be confused.$$;
