create or replace function tasker.doctor_sql()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_count    bigint;
  v_problems text[];
begin
  select count(f.function), coalesce(array_agg(format('%s: %s', f.namespace, f.problem) order by f.namespace, f.function) filter (where f.problem is not null), '{}')
    into v_count, v_problems
    from tasker.describe_sql_functions(tasker.bound_namespaces()) as f;
  return query
  select
    'sql steps',
    case when v_problems = '{}' then 'ok' else 'warn' end,
    case
      when v_problems <> '{}' then array_to_string(v_problems[:5], '; ') || case when cardinality(v_problems) > 5 then '; and others' else '' end
      when v_count = 0 then 'no step names a function'
      else format('%s functions that steps name can be called', v_count)
    end,
    case when v_problems <> '{}' then 'tasker sql list shows each one''s. Create the function again, grant its rights, or bind a role: tasker sql bind.' end;
end;
$$;

comment on function tasker.doctor_sql is
$$Checks whether the functions that steps name exist, and whether the bound roles may call them. Checks only the namespaces that the caller may see.$$;
