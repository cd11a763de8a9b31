create or replace function tasker.judge_incidents()
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
  v_now  timestamptz := tasker.clock();
  v_seen text[];
begin
  -- If many failed steps have moved, people are retrying them. Then check more failed steps now.
  for v_turn in 1 .. 10 loop
    exit when tasker.sweep_error_steps(300) < 30;
  end loop;
  perform tasker.count_handler_hours();

  with seen as (
    insert into tasker.incidents as i
      (incident, kind, rule, namespace, subject, what, severity, measured, in_a_row, since, above_at, judged_at, entries, figures)
    select distinct on (m.incident)
      m.incident, m.kind, m.rule, m.namespace, m.subject, m.what,
      coalesce(max(m.severity) filter (where r.in_a_row = 1) over (partition by m.incident), 0::smallint),
      m.severity, 1, least(m.since, v_now), v_now, v_now, m.entries, m.figures
    from tasker.measure_incidents() as m
    join tasker.incident_rules as r
      on r.kind = m.kind
     and r.rule = m.rule
    where m.severity > 0
    order by m.incident, m.severity desc, m.rule
    on conflict (incident) do update
       set severity  = case
             when i.ended_at is not null then excluded.severity
             when excluded.measured > i.severity
                  and i.in_a_row + 1 >= (select r.in_a_row from tasker.incident_rules as r where r.kind = excluded.kind and r.rule = excluded.rule)
               then excluded.measured
             -- Another rule of the same kind may need only one measurement.
             when excluded.severity > i.severity then excluded.severity
             when excluded.measured < i.severity
                  and v_now - i.above_at >= (select r.clears_after from tasker.incident_rules as r where r.kind = i.kind and r.rule = i.rule)
               then excluded.measured
             else i.severity
           end,
           -- An incident that keeps its severity also keeps its rule, which says when the incident clears.
           rule      = case
             when i.ended_at is not null or excluded.measured >= i.severity
                  or v_now - i.above_at >= (select r.clears_after from tasker.incident_rules as r where r.kind = i.kind and r.rule = i.rule)
               then excluded.rule
             else i.rule
           end,
           in_a_row  = case when i.ended_at is not null then 1 when excluded.measured > i.severity then i.in_a_row + 1 else 0 end,
           since     = case when i.ended_at is not null then excluded.since else i.since end,
           above_at  = case
             when i.ended_at is not null or excluded.measured >= i.severity
                  or v_now - i.above_at >= (select r.clears_after from tasker.incident_rules as r where r.kind = i.kind and r.rule = i.rule)
               then v_now
             else i.above_at
           end,
           what      = excluded.what,
           measured  = excluded.measured,
           judged_at = v_now,
           ended_at  = null,
           entries   = excluded.entries,
           figures   = excluded.figures
    returning i.incident
  )
  select coalesce(array_agg(s.incident), '{}') into v_seen from seen as s;

  -- If an incident was not measured again, it is below all thresholds.
  delete from tasker.incidents as i
   where i.ended_at is null
     and i.severity = 0
     and i.incident <> all (v_seen);
  update tasker.incidents as i
     set measured = 0,
         in_a_row = 0,
         ended_at = case
           when v_now - i.above_at >= (select r.clears_after from tasker.incident_rules as r where r.kind = i.kind and r.rule = i.rule)
             then v_now
         end
   where i.ended_at is null
     and i.incident <> all (v_seen);
  update tasker.incident_watch set judged_at = v_now;
  return (select count(*) from tasker.incidents as i where i.ended_at is null and i.severity > 0);
end;
$$;

comment on function tasker.judge_incidents is
$$Measures all incidents and judges them by tasker.incident_rules. Raises an incident if consecutive measurements exceed
a threshold as often as the rule requires. Lowers or ends an incident if the measure has stayed below the threshold for
the time that the rule requires. Returns how many incidents are open. The maintenance duty "incidents" calls this
function.$$;
