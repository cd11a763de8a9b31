create or replace function tasker.describe_limit_keys(p_limit_no integer, p_limit_key text, p_limit integer)
  returns setof tasker.limit_key_details
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
begin
  return query
  select
    k.limit_key, k.in_use + (
      select coalesce(sum(h.held_units), 0)
        from tasker.limit_places as h
       where h.limit_no = p_limit_no
         and h.limit_key = k.limit_key
         and h.held_units > 0
    ), k.waiting,
    coalesce(greatest(extract(epoch from tasker.clock() - k.oldest), 0), 0)::double precision,
    tasker.next_limit_start(p_limit_no, k.limit_key),
    l.concurrency, l.rate, l.per_seconds, l.burst, b.limit_no is not null, b.updated_at, b.updated_by,
    (
      select i.concurrency
        from tasker.limit_input_bounds as i
       where i.limit_no = p_limit_no
         and i.limit_key = k.limit_key
       order by i.bound_no desc
       limit 1
    )
  from (
    select
      s.limit_key,
      count(*) filter (where s.lane = 'running') as in_use,
      count(*) filter (where s.lane = 'limited') as waiting,
      min(s.visible_at) filter (where s.lane = 'limited') as oldest
      from (
        select q.limit_key, q.lane, q.visible_at
          from tasker.step_queue as q
         where q.limit_no = p_limit_no
           and q.lane in ('running', 'limited')
           and (p_limit_key is null or q.limit_key = p_limit_key)
        union all
        select b.limit_key, null, null
          from tasker.limit_bounds as b
         where b.limit_no = p_limit_no
           and (p_limit_key is null or b.limit_key = p_limit_key)
      ) as s
     group by s.limit_key
     order by waiting desc, in_use desc, s.limit_key
     limit p_limit
  ) as k
  cross join lateral tasker.key_limit(p_limit_no, k.limit_key) as l
  left join lateral (
    select b.limit_no, b.updated_at, b.updated_by
      from tasker.limit_bounds as b
     where b.limit_no = p_limit_no
       and b.limit_key = k.limit_key
    offset 0
  ) as b on true
  order by k.waiting desc, k.in_use desc, k.limit_key;
end;
$$;

comment on function tasker.describe_limit_keys is
$$Returns at most p_limit keys of a limit: keys whose steps wait or run, and keys with bounds of their own. The keys with the longest lines of waiting steps come first. With p_limit_key, returns only this key, if it has such steps or bounds.$$;
