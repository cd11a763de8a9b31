create or replace function tasker.open_session(
  p_token_hash    bytea,
  p_sign_in_hash  bytea,
  p_claims        jsonb,
  p_signed_in_at  timestamptz  default null,
  p_renewable     boolean      default false,
  p_sealed        bytea        default null,
  p_until         timestamptz  default null
)
  returns setof tasker.session_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now     timestamptz := tasker.clock();
  v_refresh timestamptz := v_now + make_interval(secs => tasker.setting_integer('session_refresh_seconds'));
  v_email   text;
  v_session tasker.access_sessions;
begin
  perform tasker.check_person(p_claims);
  perform tasker.check_instant('time of the sign-in', p_signed_in_at);
  perform tasker.check_instant('end of the session', p_until);
  if coalesce(octet_length(p_token_hash), 0) <> 32 or coalesce(octet_length(p_sign_in_hash), 0) <> 32 then
    raise exception using errcode = 'TK422', message = 'the hash of a session has 32 bytes', hint = 'Pass the SHA-256 of a secret.';
  elsif octet_length(p_sealed) > 65536 then
    raise exception using errcode = 'TK413', message = 'the sealed tokens are larger than 64 kB', hint = 'Ask the provider for fewer scopes.';
  end if;
  v_email := tasker.person_email(p_claims);
  if not exists (select from tasker.access_of(tasker.mapped_claims(p_claims))) then
    perform tasker.raise_no_access(tasker.person_name(p_claims ->> 'sub', v_email));
  end if;

  delete from tasker.access_sessions as s
   where s.session_uuid in (
     select o.session_uuid
       from tasker.access_sessions as o
      where o.ends_at < v_now - interval '30 days'
        for update skip locked
   );
  insert into tasker.access_sessions (
    token_hash, sign_in_hash, issuer, subject, email, claims, sealed, renewable, signed_in_at, refresh_at, ends_at
  )
  values (
    p_token_hash, p_sign_in_hash, p_claims ->> 'iss', p_claims ->> 'sub', v_email, tasker.mapped_claims(p_claims), p_sealed,
    coalesce(p_renewable, false), least(p_signed_in_at, v_now), v_refresh,
    least(
      v_now + make_interval(secs => tasker.setting_integer('session_seconds')), p_until,
      case
        when p_renewable then null
        when jsonb_typeof(p_claims -> 'iat') = 'number' and (p_claims ->> 'iat')::numeric between 0 and extract(epoch from v_now)
          then to_timestamp((p_claims ->> 'iat')::double precision) + (v_refresh - v_now)
        else v_refresh
      end
    )
  )
      on conflict do nothing
  returning *
    into v_session;
  if not found then
    raise exception using
      errcode = 'TK409',
      message = 'this sign-in was used before',
      hint    = 'Sign in again.';
  end if;
  return next tasker.describe_session(v_session);
end;
$$;

comment on function tasker.open_session is
$$Opens a session for a person with these claims, which "tasker serve" has verified. The database gets only the SHA-256
of the secret. The session ends after the setting session_seconds, or at p_until if that is earlier. A session that is
not renewable ends session_refresh_seconds (a setting) after its claims were issued (iat), because the provider cannot
be queried for new claims. Deletes sessions that ended more than 30 days ago.

Locks the row that it inserts. Raises TK403 if no access map gives the person access. Raises TK409 if this sign-in or
this secret was used before, and TK422 for an argument that is malformed. Raises TK413 for an argument that is too
large.$$;

grant execute on function tasker.open_session to tasker_server;
