create or replace function tasker.doctor_queues()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound   text[] := tasker.bound_namespaces();
  v_missing text[];
begin
  select coalesce(array_agg(q.name order by q.name), '{}')
    into v_missing
    from tasker.task_namespaces as n
   cross join lateral (
     select tasker.step_queue_name(n.name, l.lane)
       from unnest('{high,normal,low}'::tasker.queue_lane[]) as l (lane)
   ) as q (name)
   where n.transport = 'pgmq'
     and (v_bound is null or n.name = any (v_bound))
     and to_regclass('pgmq.' || quote_ident(lower('q_' || q.name))) is null;
  return query
  select
    'queues',
    case when v_missing = '{}' then 'ok' else 'warn' end,
    case
      when v_missing = '{}' then 'every queue of a namespace exists'
      else format('these queues do not exist: %s', array_to_string(v_missing, ', '))
    end,
    case when v_missing <> '{}' then
      'Workers that wait for messages of pgmq get no steps. Create the queues with tasker.ensure_task_queue(name).'
    end;
end;
$$;

comment on function tasker.doctor_queues is
$$Checks whether the pgmq queues to which namespaces announce their steps exist. Checks only the namespaces that the
caller may see.$$;
