create or replace function tasker.measure_mass()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    format('mass_action:%s', m.selection_uuid),
    'mass_action',
    'stopped',
    case when cardinality(m.namespaces) = 1 then m.namespaces[1] end,
    m.action,
    format('A mass action (%s) stopped by itself: %s', m.action, left(coalesce(m.stopped_why, m.stopped_by), 300)),
    tasker.incident_severity('mass_action', 'stopped', m.waits),
    m.stage_at,
    m.waits::bigint,
    jsonb_build_object('selection', m.selection_uuid, 'entries', m.entries, 'passed', m.passed, 'failed', m.failed, 'skipped', m.skipped)
  from (
    select m.*
      from tasker.mass_actions as m
     where m.state = 'stopped'
     order by m.selection_uuid desc
     limit 100
  ) as m
  -- An operator who stops an action needs no incident.
  where m.stopped_by in ('canary', 'stop rule')
    and m.waits > 0;
end;
$$;

comment on function tasker.measure_mass is
$$Returns the mass actions that have entries left and that were stopped by their canary or their stop rule. Reads the
newest 100 stopped mass actions.$$;
