create or replace function tasker.doctor_types()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps    bigint;
  v_versions text[];
begin
  select coalesce(sum(d.steps), 0), coalesce(array_agg(format('%s/%s@%s (%s)', d.namespace, d.name, d.version, coalesce('types ' || d.types_digest, 'types unknown'))), '{}')
    into v_steps, v_versions
    from tasker.list_diverged_templates() as d;
  return query
  select
    'types',
    case when v_steps = 0 then 'ok' else 'warn' end,
    case
      when v_steps = 0 then 'no step waits for a program that fits what it has kept'
      else format(
        '%s steps wait for a program that fits what they have kept: %s%s', v_steps, array_to_string(v_versions[:5], ', '),
        case when cardinality(v_versions) > 5 then ' and others' else '' end
      )
    end,
    case when v_steps > 0 then 'Two programs may run one version: "tasker template check" compares the types of a file; export a task and replay it (docs/howto/replay.md).' end;
end;
$$;

comment on function tasker.doctor_types is
$$Whether steps wait because the programs of one version of a template differ, of those that the caller may see.$$;
