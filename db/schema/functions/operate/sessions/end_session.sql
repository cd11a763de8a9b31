create or replace function tasker.end_session(p_session_uuid uuid, p_actor text default null, p_reason text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  update tasker.access_sessions as s
     set ended_at = tasker.clock(),
         ended_by = tasker.actor_name(p_actor),
         sealed   = null
   where s.session_uuid = p_session_uuid
     and s.ended_at is null;
  if found then
    return true;
  end if;
  if not exists (select from tasker.access_sessions as s where s.session_uuid = p_session_uuid) then
    raise exception using
      errcode = 'TK404',
      message = format('session %s does not exist', coalesce(p_session_uuid::text, 'null')),
      hint    = 'tasker.list_sessions() shows them all.';
  end if;
  return false;
end;
$$;

comment on function tasker.end_session is
$$Ends a session, so that "tasker serve" refuses it from the next request on. Returns true if this call ended the
session, and false if the session had ended before.

p_reason and p_actor go into the log of administration. Without p_actor, the log has the caller's role. Locks the
session's row. Raises TK404 if there is no such session, TK413 if the reason is too large, and TK403 if the caller is
bound to namespaces.$$;

grant execute on function tasker.end_session to tasker_operator;
