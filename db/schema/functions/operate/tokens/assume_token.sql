create or replace function tasker.assume_token(p_token_hash bytea)
  returns setof tasker.token_details
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_token tasker.token_details;
begin
  select a.* into v_token from tasker.authenticate_token(p_token_hash) as a;
  perform set_config('tasker.token', v_token.name, true);
  perform set_config('tasker.namespaces', coalesce(nullif(array_to_string(v_token.namespaces, ','), ''), '-'), true);
  perform set_config('role', v_token.role_name, true);
  return next v_token;
end;
$$;

comment on function tasker.assume_token is
$$Lets the rest of this transaction act as the token with this hash: with the token's role (SET LOCAL ROLE), in its namespaces, and under its name in histories. All of that ends with the transaction. Returns the token.

Runs with the rights of its caller, because only these rights can change the role. Locks nothing. Raises TK401 as tasker.authenticate_token does, and 42501 if the login is not a member of the token's role.$$;

grant execute on function tasker.assume_token to tasker_server;
