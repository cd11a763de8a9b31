create or replace function tasker.resume_mass_action(p_selection_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.administer(p_actor, p_reason);
  perform tasker.find_mass_action(p_selection_uuid);
  perform tasker.check_recent_sign_in();
  update tasker.mass_actions as m
     set state       = 'running',
         stopped_by  = null,
         stopped_why = null,
         stage_at    = tasker.clock(),
         paced       = 0,
         since       = tasker.clock()
   where m.selection_uuid = p_selection_uuid
     and m.state = 'stopped';
  return found;
end;
$$;

comment on function tasker.resume_mass_action is
$$Continues a stopped mass action with the entries that wait, at the stage where it stopped. From then on, the canary
and the stop rule count only entries that are acted on after this call. Returns true if this call resumed the action,
and false if the action is running or done.

Locks the action's row. Raises TK404 if there is no such action, TK428 if the caller is a person whose sign-in is too
old, and TK413 if the actor's name or the reason is too long.$$;

grant execute on function tasker.resume_mass_action to tasker_operator;
