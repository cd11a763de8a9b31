create or replace function tasker.list_mass_actions(p_state text default null, p_before uuid default null, p_limit integer default null)
  returns setof tasker.mass_action_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_page_size(p_limit);
  if p_state not in ('running', 'stopped', 'done') then
    raise exception using
      errcode = 'TK422',
      message = format('a mass action has no state "%s"', left(p_state, 40)),
      hint    = 'It is running, stopped or done.';
  end if;
  return query
  select d.*
    from tasker.describe_mass_actions(array(
      select m.selection_uuid
        from tasker.mass_actions as m
       where (p_state is null or m.state = p_state)
         and (v_bound is null or m.namespaces <@ v_bound)
         and (p_before is null or m.selection_uuid < p_before)
       order by m.selection_uuid desc
       limit coalesce(p_limit, 100)
    )) as d;
end;
$$;

comment on function tasker.list_mass_actions is
$$Returns mass actions, the newest selection first. p_state may be "running", "stopped" or "done". For the next page,
pass the last selection of this page as p_before. A bound caller sees a mass action only if the caller may work in all
namespaces of the action. Raises TK422 for an unknown state or a limit out of range.$$;

grant execute on function tasker.list_mass_actions to tasker_orchestrator, tasker_operator, tasker_reader;
