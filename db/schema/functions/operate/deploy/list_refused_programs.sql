create or replace function tasker.list_refused_programs(p_namespaces text[] default null)
  returns setof tasker.refused_program_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(p_namespaces);
  return query
  select
    n.name, k.name, k.version, h.handlers, r.differences, tasker.types_digest(k.types), l.registered_by, l.logged_at,
    r.types_digest, r.refused_by, r.program, r.first_refused_at, r.last_refused_at, r.refusals,
    format(
      'version "%s" was refused %s to a program with types %s (%s, last at %s): it is registered with types %s (%s)%s: %s',
      k.version, case r.refusals when 1 then 'once' else r.refusals || ' times' end, r.types_digest,
      concat_ws(', ', r.program, r.refused_by), to_char(r.last_refused_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'),
      tasker.types_digest(k.types), coalesce(l.registered_by || ', ' || to_char(l.logged_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'), 'by an unknown program'),
      case when h.handlers = '{}' then '' else ', handler ' || array_to_string(h.handlers[:5], ', ') || case when cardinality(h.handlers) > 5 then ' and others' else '' end end,
      h.differences
    )
  from (
    select r.*
      from tasker.refused_programs as r
     where r.last_refused_at > tasker.clock() - interval '7 days'
     order by r.last_refused_at desc, r.named_task_uuid, r.types_digest
     limit 1000
  ) as r
  join tasker.named_tasks as k
    on k.named_task_uuid = r.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  cross join lateral (
    select
      array(
        select distinct s.value ->> 'handler'
          from jsonb_array_elements(k.configuration -> 'steps') as s (value)
         where s.value ->> 'handler' is not null
           and s.value ->> 'name' in (select d.value ->> 'of' from jsonb_array_elements(r.differences) as d (value))
         order by 1
      ) as handlers,
      (
        select string_agg(tasker.type_difference(d.value), '; ' order by d.no)
          from jsonb_array_elements(r.differences) with ordinality as d (value, no)
         where d.no <= 5
      ) as differences
  ) as h
  left join lateral (
    -- The newest program that named types, described as tasker.recorded_caller describes a caller.
    select
      case when e.token like 'person %' then e.token when e.token is not null then 'token ' || e.token else coalesce(e.role, e.login) end
        || case when e.role is null then '' else format(' (logged in: %s)', e.login) end as registered_by,
      e.logged_at
      from tasker.administration_log as e
     where e.kind = 'named_tasks'
       and e.object = concat_ws('/', n.name, k.name, k.version)
       and e.becomes -> 'types' is distinct from e.was -> 'types'
     order by e.entry_no desc
     limit 1
  ) as l
    on true
  where (p_namespaces is null or n.name = any (p_namespaces))
    and (v_bound is null or n.name = any (v_bound))
  order by r.last_refused_at desc, n.name, k.name, k.version, r.types_digest
  limit 100;
end;
$$;

comment on function tasker.list_refused_programs is
$$Returns the programs that were refused within the last seven days because another program had registered the version
with other types of the context or of results, the newest refusal first. Each row has the digests of both programs, the
caller that registered and the caller that was refused, the time, and the handlers whose types differ. Two such programs
are two builds under one version.

Reads at most the newest 1,000 refusals, and returns at most 100 of them. If p_namespaces is null, reads all namespaces.
Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_refused_programs to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
