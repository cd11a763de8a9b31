create or replace function tasker.find_mass_action(p_selection_uuid uuid)
  returns tasker.mass_actions
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound  text[] := tasker.bound_namespaces();
  v_action tasker.mass_actions;
begin
  select m.*
    into v_action
    from tasker.mass_actions as m
   where m.selection_uuid = p_selection_uuid
     and (v_bound is null or m.namespaces <@ v_bound);
  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('selection %s has no mass action', coalesce(p_selection_uuid::text, 'null')),
      hint    = 'tasker.list_mass_actions() lists them.';
  end if;
  return v_action;
end;
$$;

comment on function tasker.find_mass_action is
$$Returns a mass action that the caller may see. Raises TK404 if there is no such action.$$;
