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
$$Returns the actor for the history: the actor that the caller names, otherwise the caller's role. A request through tasker serve is named by its token, or by the person who signed in, after the actor if there is one.$$;
