create or replace function tasker.refresh_session(
  p_token_hash  bytea,
  p_claims      jsonb  default null,
  p_sealed      bytea  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now     timestamptz := tasker.clock();
  v_session tasker.access_sessions;
begin
  if p_claims is null then
    -- Only one request queries the provider, which may allow only one query. All other requests continue, even if the
    -- provider does not answer.
    update tasker.access_sessions as s
       set refresh_at = v_now + interval '30 seconds'
     where s.token_hash = p_token_hash
       and s.refresh_at <= v_now
       and s.ended_at is null;
    return found;
  end if;

  perform tasker.check_person(p_claims);
  select s.*
    into v_session
    from tasker.access_sessions as s
   where s.token_hash = p_token_hash
     and s.ended_at is null
     for update;
  if not found then
    return false;
  elsif v_session.issuer <> p_claims ->> 'iss' or v_session.subject <> p_claims ->> 'sub' then
    raise exception using
      errcode = 'TK403',
      message = 'the provider has answered for another person',
      detail  = format('The session is of subject "%s".', v_session.subject),
      hint    = 'Sign in again.';
  end if;
  update tasker.access_sessions as s
     set claims     = tasker.mapped_claims(p_claims),
         email      = tasker.person_email(p_claims),
         sealed     = coalesce(p_sealed, s.sealed),
         refresh_at = v_now + make_interval(secs => tasker.setting_integer('session_refresh_seconds'))
   where s.session_uuid = v_session.session_uuid;
  return true;
end;
$$;

comment on function tasker.refresh_session is
$$Replaces the claims of a session by the claims that the provider has just sent. A call without p_claims says that the
caller is about to query the provider. Then the next refresh of the session is due in 30 seconds, and the session keeps
its rights until then even if the provider does not answer. Returns false if there is no such session, if the session
has ended, or if another request is already querying the provider.

Locks the session's row. Raises TK403 if the claims belong to another person, and TK422 if they are malformed.$$;

grant execute on function tasker.refresh_session to tasker_server;
