create or replace function tasker.sealed_session(p_token_hash bytea)
  returns bytea
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select s.sealed
      from tasker.access_sessions as s
     where s.token_hash = p_token_hash
       and s.ended_at is null
  );
end;
$$;

comment on function tasker.sealed_session is
$$Returns the encrypted tokens of a session, which only the browser's secret decrypts. Returns null if the session has
no tokens or has ended.$$;

grant execute on function tasker.sealed_session to tasker_server;
