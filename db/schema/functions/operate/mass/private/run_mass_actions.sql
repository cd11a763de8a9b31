create or replace function tasker.run_mass_actions(p_limit integer)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_action tasker.mass_actions;
  v_done   bigint := 0;
begin
  -- If another session is stopping an action and holds its row, leave the action to the next run.
  for v_action in
    select m.*
      from tasker.mass_actions as m
     where m.state = 'running'
        or m.state = 'done' and m.open > 0 and m.ended_at > tasker.clock() - interval '1 hour'
     order by m.ran_at nulls first, m.selection_uuid
     limit 5
       for no key update skip locked
  loop
    v_done := v_done + tasker.run_mass_action(v_action, p_limit);
  end loop;
  return v_done;
end;
$$;

comment on function tasker.run_mass_actions is
$$Acts on at most p_limit entries of each of the five mass actions whose last batch is longest ago. Returns how many
entries left the state "waits". Skips actions that another transaction has locked.$$;
