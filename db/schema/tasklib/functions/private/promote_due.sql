create or replace function tasklib.promote_due(
  p_names  text[],
  p_now    timestamptz,
  p_limit  integer
)
  returns integer
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
  v_count integer;
begin
  with due as (
    select w.id
      from unnest(p_names) as u (name)
     cross join lateral (
       select t.id
         from tasklib.tasks as t
        where t.name = u.name
          and t.state = 'pending'
          and not t.ready
          and t.scheduled_at <= p_now
        order by t.scheduled_at
        limit p_limit
          for update skip locked
     ) as w
  )
  update tasklib.tasks as t
     set ready = true
    from due as d
   where t.id = d.id;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

comment on function tasklib.promote_due is
$$Marks pending tasks of these names as ready if their time has come, at most p_limit tasks of each name, and returns how many. Skips tasks that other transactions hold.$$;
