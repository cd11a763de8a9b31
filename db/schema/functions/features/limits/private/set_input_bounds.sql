create or replace function tasker.set_input_bounds(p_task_uuids uuid[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now    timestamptz := tasker.write_clock();
  v_limits integer[];
  v_keys   text[];
begin
  with wanted as (
    select distinct on (b.limit_no, k.limit_key)
      b.limit_no, k.limit_key, tasker.input_bound(b.limit_no, s.step_name, b.path, v.value, b.max) as concurrency
      from unnest(p_task_uuids) with ordinality as u (task_uuid, ord)
     cross join lateral (
       select t.named_task_uuid, t.context from tasker.tasks as t where t.task_uuid = u.task_uuid offset 0
     ) as t
     cross join lateral (
       select s.step_no, s.step_name, s.limit_no, s.limit_key, s.initialization, s.limit_needs
         from tasker.named_tasks_named_steps as s
        where s.named_task_uuid = t.named_task_uuid
          and s.limit_needs is not null
       offset 0
     ) as s
     cross join lateral (
       select s.limit_no, s.limit_key as key_path, s.limit_needs ->> 'bound' as path, (s.limit_needs ->> 'bound_max')::integer as max
       union all
       select l.limit_no, (e.value ->> 'limit_key')::jsonpath, e.value ->> 'limit_bound', (e.value ->> 'limit_bound_max')::integer
         from tasker.limits as o
         join jsonb_array_elements(s.limit_needs -> 'limits') as e (value)
           on e.value ? 'limit_bound'
         join tasker.limits as l
           on l.namespace = o.namespace
          and l.name = e.value ->> 'limit'
        where o.limit_no = s.limit_no
     ) as b
     cross join lateral (select jsonb_path_query_first(t.context, b.path::jsonpath, '{}', true) as value offset 0) as v
     cross join lateral (select tasker.limit_key_of(b.key_path, t.context, s.initialization) as limit_key offset 0) as k
     where v.value <> 'null'
     order by b.limit_no, k.limit_key, u.ord desc, s.step_no desc
  ),
  inserted as (
    insert into tasker.limit_input_bounds (limit_no, limit_key, concurrency, set_at)
    select w.limit_no, w.limit_key, w.concurrency, v_now
      from wanted as w
      left join lateral (
        select i.concurrency, i.set_at
          from tasker.limit_input_bounds as i
         where i.limit_no = w.limit_no
           and i.limit_key = w.limit_key
         order by i.bound_no desc
         limit 1
      ) as i on true
     where i.concurrency is distinct from w.concurrency
        or i.set_at < v_now - interval '30 days'
    returning limit_no, limit_key
  )
  select array_agg(i.limit_no), array_agg(i.limit_key) into v_limits, v_keys from inserted as i;
  if v_limits is not null then
    perform tasker.replace_input_bounds(v_limits, v_keys);
  end if;
end;
$$;

comment on function tasker.set_input_bounds is
$$Gives keys of limits the bounds that the contexts of tasks have for them (limit_bound). The last of several tasks counts. A bound that holds already is not written. Waits for no other transaction. The tasks' rows have been inserted. Raises TK422 for a value that is no whole number from 1.$$;
