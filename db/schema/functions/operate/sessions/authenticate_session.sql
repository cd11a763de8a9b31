create or replace function tasker.authenticate_session(p_token_hash bytea)
  returns setof tasker.session_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_session tasker.session_details;
begin
  select d.*
    into v_session
    from tasker.access_sessions as s
   cross join lateral tasker.describe_session(s) as d
   where s.token_hash = p_token_hash;
  if v_session.status = 'valid' then
    return next v_session;
    return;
  elsif v_session.status = 'unmapped' and not v_session.refresh_due then
    perform tasker.raise_no_access(v_session.person);
  elsif v_session.status = 'unmapped' then
    return next v_session;
    return;
  end if;

  raise exception using
    errcode = 'TK401',
    message = case v_session.status
      when 'ended' then 'the session has ended'
      when 'expired' then 'the session has expired'
      when 'idle' then 'the session has expired: it was idle for too long'
      else 'the session is not known'
    end,
    hint    = 'Sign in again.';
end;
$$;

comment on function tasker.authenticate_session is
$$Returns the session with this hash. A session whose refresh is due may be without a role. Raises TK401 if there is no
such session, or if it has ended, has expired or was idle for too long, and TK403 if no access map gives its person
access.$$;

grant execute on function tasker.authenticate_session to tasker_server;
