create or replace function tasker.list_incidents(p_incident text default null, p_limit integer default null)
  returns setof tasker.incident_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_bound  text[] := tasker.bound_namespaces();
  v_now    timestamptz := tasker.clock();
  v_judged timestamptz := (select nullif(w.judged_at, '-infinity') from tasker.incident_watch as w);
  v_book   text := tasker.setting('runbook');
  v_fresh  boolean;
  -- If no worker has ever worked in this database, the judgement is not late.
  v_since  timestamptz := coalesce(v_judged, (select min(w.registered_at) from tasker.workers as w));
begin
  perform tasker.check_page_size(p_limit);
  v_fresh := coalesce(v_judged > v_now - greatest(interval '1 minute', make_interval(secs => 4 * tasker.setting_integer('incident_seconds'))), false);

  return query
  with judged as (
    select
      i.incident, i.kind, i.rule, i.namespace, i.subject, i.what, i.severity, i.since, i.judged_at, i.ended_at, i.entries, i.figures
    from tasker.incidents as i
    where v_fresh
      and i.ended_at is null
      and i.severity > 0
      and (p_incident is null or i.incident = p_incident)
    union all
    select
      i.incident, i.kind, i.rule, i.namespace, i.subject, i.what, i.severity, i.since, i.judged_at, i.ended_at, i.entries, i.figures
    from tasker.incidents as i
    where i.incident = p_incident
      and i.ended_at is not null
      and i.severity > 0
    union all
    (
      -- There is no recent judgement. Measure now, without the earlier judgements.
      select distinct on (m.incident)
        m.incident, m.kind, m.rule, m.namespace, m.subject, m.what, m.severity, least(m.since, v_now), v_now, null::timestamptz, m.entries, m.figures
      from tasker.measure_incidents() as m
      where not v_fresh
        and m.severity > 0
        and (p_incident is null or m.incident = p_incident)
      order by m.incident, m.severity desc, m.rule
    )
    union all
    select
      'unjudged', 'unjudged', 'time', null, 'incidents',
      'Incidents are not judged: maintenance does not run', u.severity, v_since, v_now, null::timestamptz, 1::bigint,
      jsonb_build_object('seconds', round(extract(epoch from v_now - v_since)))
    from (select tasker.incident_severity('unjudged', 'time', extract(epoch from v_now - v_since)) as severity) as u
    where u.severity > 0
      and coalesce(p_incident, 'unjudged') = 'unjudged'
  ),
  shown as (
    select
      j.*,
      r.next_step,
      a.acknowledged_by, a.acknowledged_at, a.until, a.reason,
      case when a.incident is not null then 1 else j.severity end as shown_severity,
      min(j.since) over w as first_since,
      first_value(j.incident) over (w order by j.since, j.incident) as first_incident
    from judged as j
    join tasker.incident_rules as r
      on r.kind = j.kind
     and r.rule = j.rule
    left join tasker.incident_acknowledgements as a
      on a.incident = j.incident
     and a.acknowledged_at >= j.since
     and (a.until is null or a.until > v_now)
     and a.severity >= j.severity
    where v_bound is null
       or j.namespace = any (v_bound)
       or j.kind = 'unjudged'
    window w as (partition by j.kind, j.namespace, j.subject)
  )
  select
    s.incident,
    case s.shown_severity when 3 then 'act_now' when 2 then 'look_today' else 'information' end,
    s.kind, s.rule, s.namespace, s.subject,
    case s.kind
      when 'failing' then concat_ws(
        ', ', s.what,
        format('%s %s failed', s.entries, case when s.entries = 1 then 'step stands' else 'steps stand' end),
        case when (s.figures ->> 'failures_minute')::bigint > 0 then format('%s attempt%s failed within a minute', s.figures ->> 'failures_minute', case s.figures ->> 'failures_minute' when '1' then '' else 's' end) end
      )
      when 'unserved' then format('%s, %s %s for it', s.what, s.entries, case when s.entries = 1 then 'step waits' else 'steps wait' end)
      when 'queue' then format('%s: %s', s.what, s.entries)
      when 'limit' then format('%s, %s %s', s.what, s.entries, case when s.entries = 1 then 'step waits' else 'steps wait' end)
      when 'deadline' then format('%s: %s', s.what, s.entries)
      when 'dead_letters' then format('%s: %s', s.what, s.entries)
      else s.what
    end,
    s.next_step, s.since, s.judged_at, s.ended_at, s.entries,
    case when s.kind = 'failing' and s.since - s.first_since <= interval '5 minutes' then s.first_incident else s.incident end,
    s.acknowledged_by, s.acknowledged_at, s.until, s.reason,
    s.figures,
    replace(v_book, '{kind}', s.kind)
  from shown as s
  order by s.shown_severity desc, s.severity desc, s.entries desc, s.since, s.incident
  limit coalesce(p_limit, 100);
end;
$$;

comment on function tasker.list_incidents is
$$Returns the open incidents, the most severe first, as the maintenance duty "incidents" last judged them. With
p_incident, returns only this incident, even if it has ended within the last week. Acknowledged incidents are listed
only for information. A bound caller sees only the incidents of its own namespaces.

The table tasker.incident_rules says when an incident is raised, how severe it is and when it clears. If the newest
judgement is older than a minute, this function measures incidents itself. If the judgement is older than two minutes,
the function also returns an incident of the kind "unjudged". Raises TK422 for a limit out of range.$$;

grant execute on function tasker.list_incidents to tasker_orchestrator, tasker_operator, tasker_reader;
