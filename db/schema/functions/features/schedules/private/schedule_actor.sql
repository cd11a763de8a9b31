create or replace function tasker.schedule_actor(p_actor text)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return format('by %s; logged in: %s', p_actor, session_user)
         || coalesce('; role: ' || tasker.set_role(), '');
end;
$$;

comment on function tasker.schedule_actor is
$$Returns a text for the history of a schedule that names the caller of an operation: the actor, the login role, and the role from SET ROLE, if any.$$;
