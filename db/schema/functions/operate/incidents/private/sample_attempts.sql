create or replace function tasker.sample_attempts(p_cause tasker.error_causes, p_failed boolean)
  returns setof tasker.sampled_attempts
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_until  timestamptz := p_cause.last_at + interval '1 second';
  v_tenant text := tasker.setting('tenant');
  -- The number of results a second of all handlers before the newest failure.
  v_rate   numeric := (
    select sum(r.results) / 300 from tasker.work_rollups as r where r.bucket > v_until - interval '6 minutes' and r.bucket <= v_until
  );
begin
  return query
  with failed as (
    select e.task_uuid, e.step_no, e.sort_key
      from tasker.error_steps as e
     where p_failed
       and e.fingerprint = p_cause.fingerprint
       and e.stands in ('failed', 'retrying')
     order by e.task_uuid desc, e.step_no
     limit 2000
  ),
  attempts as (
    select f.task_uuid, f.step_no, a.worker_uuid
      from failed as f
     cross join lateral (
       select a.worker_uuid
         from tasker.step_result_log as a
        where a.task_uuid = f.task_uuid
          and a.step_no = f.step_no
          and a.row_key between f.sort_key and f.sort_key + 1
          and not a.success
        limit 1
     ) as a
    union all
    select a.task_uuid, a.step_no, a.worker_uuid
      from (
        select a.task_uuid, a.step_no, a.worker_uuid
          from tasker.step_result_log as a
         where not p_failed
           and a.recorded_at > v_until - make_interval(secs => least(3600, 2000 / greatest(v_rate, 0.5))::double precision)
           and a.recorded_at <= v_until
         limit 4000
      ) as a
      join tasker.workflow_steps as s
        on s.task_uuid = a.task_uuid
       and s.step_no = a.step_no
      join tasker.named_steps as k
        on k.named_step_uuid = s.named_step_uuid
       and k.name = p_cause.handler
  )
  select coalesce(w.version, 'unknown'), coalesce(regexp_replace(w.name, '#[0-9]+$', ''), 'unknown'), tasker.task_tenant(v_tenant, t.tags, t.context)
    from attempts as a
    join tasker.tasks as t
      on t.task_uuid = a.task_uuid
    join tasker.named_tasks as d
      on d.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = d.task_namespace_uuid
     and n.name = p_cause.namespace
    left join tasker.workers as w
      on w.worker_uuid = a.worker_uuid;
end;
$$;

comment on function tasker.sample_attempts is
$$Returns version, worker and tenant of at most 2,000 steps that are in error or are tried again for a cause. Without
p_failed, returns the same columns for attempts of the cause's handler before the newest failure. The period of these
attempts is so long that all handlers together had about 2,000 results in it.$$;
