create or replace function tasker.assume_person(p_claims jsonb, p_signed_in_at timestamptz default null)
  returns setof tasker.access_map_details
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_access tasker.access_map_details;
begin
  select a.* into v_access from tasker.access_of_person(p_claims) as a;
  perform set_config('tasker.token', v_access.value, true);
  perform set_config('tasker.namespaces', coalesce(nullif(array_to_string(v_access.namespaces, ','), ''), '-'), true);
  perform set_config('tasker.signed_in_at', coalesce(extract(epoch from p_signed_in_at)::text, ''), true);
  perform set_config('role', v_access.role_name, true);
  return next v_access;
end;
$$;

comment on function tasker.assume_person is
$$Lets the rest of this transaction act as a person with these claims. The person has signed in at a proxy that "tasker
serve" trusts. Without p_signed_in_at the proxy itself has to ask a person whose sign-in is old to sign in again.
Returns the role and the namespaces. The column value has the person's name in histories.

Runs with the rights of its caller, because only these rights can change the role. Locks nothing. Raises TK403 if no access map gives the person access, TK422 for claims that are malformed, and 42501 if the login is not a member of the person's role.$$;

grant execute on function tasker.assume_person to tasker_server;
