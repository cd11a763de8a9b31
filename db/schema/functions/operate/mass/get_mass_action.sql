create or replace function tasker.get_mass_action(p_selection_uuid uuid)
  returns setof tasker.mass_action_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.find_mass_action(p_selection_uuid);
  return query select d.* from tasker.describe_mass_actions(array[p_selection_uuid]) as d;
end;
$$;

comment on function tasker.get_mass_action is
$$Returns the mass action on a selection. The row has the kind and the progress of the action, how many entries wait,
are open, passed, failed again or were skipped, and who stopped the action and why. Raises TK404 if there is no such
action, or if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_mass_action to tasker_orchestrator, tasker_operator, tasker_reader;
