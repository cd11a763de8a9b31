create or replace function tasklib.key_opens_in(p_name text, p_now timestamptz)
  returns double precision
  language plpgsql
  stable
as $$
declare
  v_task tasklib.registered_tasks;
  v_key  text             := '';
  v_free integer;
  v_in   double precision := 'infinity';
begin
  select r.* into strict v_task from tasklib.registered_tasks as r where r.name = p_name;
  for v_keys in 1 .. 500 loop
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
    if v_key is null then
      return v_in;
    end if;
    v_free := tasklib.key_places(v_task, v_key, 1, p_now);
    if v_free > 0 then
      return 0;
    elsif v_free < 0 then
      -- The key's places are free, and only its rate is used up. It opens when the next interval has passed.
      v_in := least(v_in, (
        select extract(epoch from k.paid_until - p_now) - v_task.key_rate_period_seconds * (v_task.key_rate_limit - 1) / v_task.key_rate_limit
          from tasklib.key_rates as k
         where k.name = p_name
           and k.limit_key = v_key
      ));
    end if;
  end loop;
  -- So many keys are closed that claims read only some of them each time.
  return least(v_in, 0.05);
end;
$$;

comment on function tasklib.key_opens_in is
$$Returns in how many seconds a limit key of a name has a ready task that may be claimed: 0 means now, infinity means not before a running task ends. Reads some index entries for each closed key, of 500 keys at most. With more than 500 closed keys, it returns a twentieth of a second at most.$$;
