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
$$Returns who does something to a schedule, for its history: the actor, the role that is logged in, and the role that it has set, if any.$$;
