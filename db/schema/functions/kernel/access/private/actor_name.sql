create or replace function tasker.actor_name(p_actor text)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_token text;
begin
  -- Almost no session uses tokens.
  if nullif(current_setting('tasker.token', true), '') is not null then
    v_token := tasker.token_name();
  end if;
  if v_token is not null then
    return coalesce(p_actor || ', ', '') || case when v_token like 'person %' then '' else 'token ' end || v_token;
  end if;
  return coalesce(p_actor, tasker.caller_name());
end;
$$;

comment on function tasker.actor_name is
$$Returns the actor for the history: the actor that the caller names, otherwise the caller's role. For a request through tasker serve, the name of its token, or of the person who signed in, follows the actor, if the caller names one.$$;
