create or replace function tasker.list_incident_rules()
  returns setof tasker.incident_rules
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select r.* from tasker.incident_rules as r order by r.position;
end;
$$;

comment on function tasker.list_incident_rules is
$$Returns the rules that decide when an incident is raised. Each row has the measure, the value from which a person
should look today, the value from which a person should act now, whether the measure is compared with its usual value,
and when the incident clears.$$;

grant execute on function tasker.list_incident_rules to tasker_orchestrator, tasker_operator, tasker_reader;
