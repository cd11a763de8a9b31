create or replace function tasker.sign_out(p_token_hash bytea)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.access_sessions as s
     set ended_at = tasker.clock(),
         ended_by = tasker.person_name(s.subject, s.email),
         sealed   = null
   where s.token_hash = p_token_hash
     and s.ended_at is null;
  return found;
end;
$$;

comment on function tasker.sign_out is
$$Ends the session with this hash when its person signs out. Returns true if this call ended the session.

Locks the session's row.$$;

grant execute on function tasker.sign_out to tasker_server;
