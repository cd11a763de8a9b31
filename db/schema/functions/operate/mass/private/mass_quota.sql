create or replace function tasker.mass_quota(p_action tasker.mass_actions)
  returns integer
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_acted integer;
begin
  if p_action.stage = 3 then
    return coalesce(1 + floor(extract(epoch from tasker.clock() - p_action.stage_at) * p_action.per_minute / 60)::integer - p_action.paced, 1000);
  end if;
  select count(*)
    into v_acted
    from tasker.selection_entries as e
   where e.selection_uuid = p_action.selection_uuid
     and e.state in ('open', 'passed', 'failed')
     and e.acted_at >= p_action.since;
  return case p_action.stage when 1 then 1 else 11 end - v_acted;
end;
$$;

comment on function tasker.mass_quota is
$$Returns on how many entries a mass action may act now. In its first two stages, these are the entries that the canary
still needs, and skipped entries do not count. After that, these are the entries that its rate allows.$$;
