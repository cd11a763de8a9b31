create or replace function tasklib.take_turns(
  p_name       text,
  p_limit      integer,
  p_key_limit  integer
)
  returns uuid[]
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
  v_last    text;
  v_key     text;
  v_keys    text[] := '{}';
  v_free    integer[] := '{}';
  v_running integer := 0;
  v_wrapped boolean := false;
  v_each    integer;
  v_ids     uuid[];
begin
  select l.last_key
    into strict v_last
    from tasklib.task_limits as l
   where l.name = p_name;

  -- Around the keys with ready tasks, from the one after that which had its turn last: past the end come the tasks
  -- without a key, then the first key. A key whose places are taken costs two probes, and there are no more of those
  -- than tasks that run.
  v_key := v_last;
  while cardinality(v_keys) < p_limit loop
    v_key := (
      select t.limit_key
        from tasklib.tasks as t
       where t.name = p_name
         and t.ready
         and t.limit_key is not null
         and t.limit_key > v_key
       order by t.limit_key
       limit 1
    );
    exit when v_wrapped and (v_key <= v_last) is not true;
    if v_key is null then
      v_wrapped := true;
      v_key := '';
      continue when not exists (
        select from tasklib.tasks as t where t.name = p_name and t.ready and t.limit_key is null
      );
    elsif p_key_limit is not null then
      v_running := (
        select count(*)
          from (
            select
              from tasklib.tasks as t
             where t.name = p_name
               and t.limit_key = v_key
               and t.limit_key is not null
               and t.locked_until is not null
             limit p_key_limit
          ) as t
      );
      continue when v_running >= p_key_limit;
    end if;
    v_keys := v_keys || v_key;
    v_free := v_free || case when v_key = '' or p_key_limit is null then p_limit else least(p_limit, p_key_limit - v_running) end;
  end loop;
  if v_keys = '{}' then
    return '{}';
  end if;

  -- Up to four times its part for each, in case that others have fewer: what is read stays in proportion to p_limit.
  v_each := 4 * p_limit / cardinality(v_keys) + 1;
  v_ids := array(
    select w.id
      from unnest(v_keys, v_free) with ordinality as u (key, free, position)
     cross join lateral (
       select t.id, row_number() over () as round
         from (
           (select t.id, t.priority
              from tasklib.tasks as t
             where t.name = p_name and t.ready and t.limit_key is not null and t.limit_key = u.key
             order by t.priority desc, t.id
             limit least(u.free, v_each))
           union all
           (select t.id, t.priority
              from tasklib.tasks as t
             where t.name = p_name and t.ready and t.limit_key is null and u.key = ''
             order by t.priority desc, t.id
             limit least(u.free, v_each))
         ) as t
     ) as w
     order by w.round, u.position
     limit p_limit
  );
  update tasklib.task_limits as l
     set last_key = v_keys[cardinality(v_keys)]
   where l.name = p_name
     and l.last_key <> v_keys[cardinality(v_keys)];
  return array(
    select t.id
      from tasklib.tasks as t
     where t.id = any (v_ids)
       and t.ready
       for update skip locked
  );
end;
$$;

comment on function tasklib.take_turns(text, integer, integer) is
$$Locks ready tasks of a name whose keys take turns, and returns their ids: one of each key, then a second of each, within each key by priority, then age; of a key at most p_key_limit with those that run. Skips tasks that other transactions hold. The caller holds the name's row in tasklib.task_limits and has locked it in an earlier statement.$$;

revoke all on function tasklib.take_turns(text, integer, integer) from public;
