create or replace function tasker.end_sessions(p_person text, p_actor text default null, p_reason text default null)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_ended integer;
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_text_size('name of the person', p_person, 500);
  if coalesce(p_person, '') = '' then
    raise exception using errcode = 'TK422', message = 'the person is missing', hint = 'Name it by its e-mail address or by its subject.';
  end if;
  with chosen as (
    select s.session_uuid
      from tasker.access_sessions as s
     where p_person in (s.email, s.subject)
       and s.ended_at is null
     order by s.session_uuid
       for update
  )
  update tasker.access_sessions as s
     set ended_at = tasker.clock(),
         ended_by = tasker.actor_name(p_actor),
         sealed   = null
    from chosen as c
   where s.session_uuid = c.session_uuid;
  get diagnostics v_ended = row_count;
  return v_ended;
end;
$$;

comment on function tasker.end_sessions is
$$Ends all sessions of the person with this e-mail address or subject, and returns how many sessions it ended. The
person can sign in again if the provider and the access maps allow it.

p_reason and p_actor go into the log of administration. Without p_actor, the log has the caller's role. Locks the rows
of the sessions in the order of their UUIDs. Raises TK422 without a person, TK413 for a name or a reason that is too
long, and TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.end_sessions to tasker_operator;
