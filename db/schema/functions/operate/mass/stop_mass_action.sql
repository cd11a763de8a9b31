create or replace function tasker.stop_mass_action(p_selection_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.administer(p_actor, p_reason);
  perform tasker.find_mass_action(p_selection_uuid);
  update tasker.mass_actions as m
     set state       = 'stopped',
         stopped_by  = tasker.actor_name(p_actor),
         stopped_why = p_reason
   where m.selection_uuid = p_selection_uuid
     and m.state = 'running';
  return found;
end;
$$;

comment on function tasker.stop_mass_action is
$$Stops a mass action, so that it acts on no further entry. Finished entries stay as they are. Returns true if this call
stopped the action, and false if the action had stopped or was done. tasker.resume_mass_action continues the action.

Locks the action's row, and so waits until a running batch has ended. Raises TK404 if there is no such action, and TK413
if the actor's name or the reason is too long.$$;

grant execute on function tasker.stop_mass_action to tasker_operator;
