create or replace function tasker.incident_severity(p_kind text, p_rule text, p_value double precision)
  returns smallint
  language sql
  stable
begin atomic
  select case
    when p_value >= r.act_at then 3
    when p_value >= r.look_at then 2
    else 0
  end::smallint
    from tasker.incident_rules as r
   where r.kind = p_kind
     and r.rule = p_rule;
end;

comment on function tasker.incident_severity is
$$Returns the severity that a rule of tasker.incident_rules gives to a value: 0 if the value is below both thresholds, 2
if a person should look today, 3 if a person should act now.$$;
