create or replace function tasker.incident_cause(p_incident text)
  returns tasker.error_causes
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
  v_no    text := substring(p_incident from '^failing:(-?[0-9]{1,19})$');
  v_cause tasker.error_causes;
begin
  select c.*
    into v_cause
    from tasker.error_causes as c
   where c.fingerprint = case when abs(v_no::numeric) < 9223372036854775807 then v_no::bigint end
     and (v_bound is null or c.namespace = any (v_bound));
  if not found then
    raise exception using
      errcode = 'TK404',
      message = coalesce('no cause of failures is called "' || left(p_incident, 100) || '"', 'the incident is null'),
      hint    = 'tasker.list_incidents() returns the incidents; those of kind failing have steps.';
  end if;
  return v_cause;
end;
$$;

comment on function tasker.incident_cause is
$$Returns the cause of an incident of the kind "failing". Raises TK404 if no cause has that name or the caller is bound
to other namespaces.$$;
