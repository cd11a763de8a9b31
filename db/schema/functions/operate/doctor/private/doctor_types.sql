create or replace function tasker.doctor_types()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps    bigint;
  v_versions text[];
  v_programs text[];
begin
  select coalesce(sum(d.steps), 0), coalesce(array_agg(format('%s/%s@%s (%s)', d.namespace, d.name, d.version, coalesce('types ' || d.types_digest, 'types unknown'))), '{}')
    into v_steps, v_versions
    from tasker.list_diverged_templates() as d;
  v_programs := array(select format('%s/%s: %s', r.namespace, r.name, r.finding) from tasker.list_refused_programs() as r);
  return query
  select
    'types',
    case when v_steps = 0 and v_programs = '{}' then 'ok' else 'warn' end,
    concat_ws(
      '; ',
      case
        when v_steps > 0 then format(
          '%s steps wait for a program that fits what they have kept: %s%s', v_steps, array_to_string(v_versions[:5], ', '),
          case when cardinality(v_versions) > 5 then ' and others' else '' end
        )
        when v_programs = '{}' then 'no step waits for a program that fits what it has kept'
      end,
      nullif(array_to_string(v_programs[:5], '; '), '') || case when cardinality(v_programs) > 5 then '; and others' else '' end
    ),
    case
      when v_steps > 0 then 'Two programs may run one version: "tasker template check" compares the types of a file; export a task and replay it (docs/howto/replay.md).'
      when v_programs <> '{}' then 'Two programs have one version: register the new types under a new version.'
    end;
end;
$$;

comment on function tasker.doctor_types is
$$Checks whether steps wait because the programs of one version of a template differ, and whether a program was refused
for such a difference within the last seven days. Checks only the templates that the caller may see.$$;
