create or replace function tasker.describe_mass_actions(p_selection_uuids uuid[])
  returns setof tasker.mass_action_details
  language sql
  stable
begin atomic
  select
    m.selection_uuid, s.kind, s.words, m.entries, m.action, m.arguments, m.reason, m.state, m.stage, m.canary, m.canary_seconds, m.per_minute,
    m.stop_share::double precision, m.started_at, m.started_by, m.stopped_by, m.stopped_why, m.ended_at, m.ran_at,
    m.waits, m.open, m.passed, m.failed, m.skipped, m.namespaces
    from unnest(p_selection_uuids) as u (selection_uuid)
   cross join lateral (
     select m.*
       from tasker.mass_actions as m
      where m.selection_uuid = u.selection_uuid
     offset 0
   ) as m
   cross join lateral (
     select s.kind, s.words
       from tasker.selections as s
      where s.selection_uuid = m.selection_uuid
     offset 0
   ) as s
   order by m.selection_uuid desc;
end;

comment on function tasker.describe_mass_actions is
$$Returns these mass actions, the newest selection first.$$;
