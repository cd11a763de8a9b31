create or replace function tasklib.lock_turns(p_name text, p_keys text[], p_free integer[], p_limit integer)
  returns uuid[]
  language plpgsql
as $$
declare
  -- Read at most four times the equal share of each key, because other keys may have fewer tasks than their share. So the
  -- number of rows read is in proportion to p_limit.
  v_each integer := 4 * p_limit / cardinality(p_keys) + 1;
  v_ids  uuid[];
begin
  v_ids := array(
    select w.id
      from unnest(p_keys, p_free) with ordinality as u (key, free, position)
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
  return array(
    select t.id
      from tasklib.tasks as t
     where t.id = any (v_ids)
       and t.ready
       for update skip locked
  );
end;
$$;

comment on function tasklib.lock_turns is
$$Locks at most p_limit ready tasks of these limit keys and returns their ids. The empty key stands for tasks without a limit key. The keys take turns: takes one task of each key, then a second task of each key, and so on. Within a key, takes tasks by priority, then by age, and no more tasks than p_free allows. Skips tasks that other transactions hold.$$;
