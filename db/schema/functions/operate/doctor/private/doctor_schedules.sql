create or replace function tasker.doctor_schedules()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound   text[] := tasker.bound_namespaces();
  v_count   bigint;
  v_failing text[];
begin
  select count(*), coalesce(array_agg(format('%s/%s', s.namespace, s.schedule) order by s.namespace, s.schedule) filter (where s.last_error is not null), '{}')
    into v_count, v_failing
    from tasker.schedules as s
   where v_bound is null or s.namespace = any (v_bound);
  return query
  select
    'schedules',
    case when v_failing = '{}' then 'ok' else 'warn' end,
    case
      when v_count = 0 then 'there are none'
      when v_failing = '{}' then format('%s, and none fails', v_count)
      else format(
        '%s of %s fail: %s%s', cardinality(v_failing), v_count, array_to_string(v_failing[:5], ', '),
        case when cardinality(v_failing) > 5 then ' and others' else '' end
      )
    end,
    case when v_failing <> '{}' then 'tasker schedule list shows each one''s error. They are tried again; mend the template, or set the schedule again.' end;
end;
$$;

comment on function tasker.doctor_schedules is
$$Checks whether a schedule that the caller may see has tasks that cannot be created.$$;
