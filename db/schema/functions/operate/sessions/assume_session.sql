create or replace function tasker.assume_session(p_token_hash bytea)
  returns setof tasker.session_details
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_session tasker.session_details;
begin
  select a.* into v_session from tasker.authenticate_session(p_token_hash) as a;
  if not v_session.refresh_due then
    perform set_config('tasker.token', v_session.person, true);
    perform set_config('tasker.namespaces', coalesce(nullif(array_to_string(v_session.namespaces, ','), ''), '-'), true);
    perform set_config('tasker.signed_in_at', extract(epoch from v_session.signed_in_at)::text, true);
    perform set_config('role', v_session.role_name, true);
  end if;
  return next v_session;
end;
$$;

comment on function tasker.assume_session is
$$Lets the rest of this transaction act as the person whose session has this hash, as tasker.assume_token does for a
token. If the session's refresh is due, the function does not change the role. Then the caller first queries the
provider and calls tasker.refresh_session. Returns the session.

Runs with the rights of its caller, because only these rights can change the role. Locks nothing. Raises TK401 and TK403 as tasker.authenticate_session does, and 42501 if the login is not a member of the person's role.$$;

grant execute on function tasker.assume_session to tasker_server;
