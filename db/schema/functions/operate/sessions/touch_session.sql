create or replace function tasker.touch_session(p_token_hash bytea)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.access_sessions as s
     set seen_at = tasker.clock()
   where s.session_uuid = (
     select c.session_uuid
       from tasker.access_sessions as c
      where c.token_hash = p_token_hash
        and c.ended_at is null
        for update skip locked
   );
  return found;
end;
$$;

comment on function tasker.touch_session is
$$Records that a person has just used a session, so that the session does not end for being idle. Returns false if there
is no such session, or if another transaction has locked it.

Locks the session's row. Skips a locked session.$$;

grant execute on function tasker.touch_session to tasker_server;
