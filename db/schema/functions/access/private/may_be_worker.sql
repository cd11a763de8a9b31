create or replace function tasker.may_be_worker(p_login text, p_role text)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (p_login, p_role) is not distinct from (session_user::text, tasker.set_role())
         or pg_has_role(tasker.caller_name(), 'tasker_operator', 'member');
end;
$$;

comment on function tasker.may_be_worker(text, text) is
$$Whether the caller may work under the UUID of a worker that this login and role entered: the same, or an operator.$$;

revoke all on function tasker.may_be_worker(text, text) from public;
