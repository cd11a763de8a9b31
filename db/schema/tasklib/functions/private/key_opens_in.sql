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
      -- The limit key has free places, but its rate is used up. Its next task may be claimed when the rate allows one claim.
      v_in := least(v_in, (
        select extract(epoch from k.paid_until - p_now) - v_task.key_rate_period_seconds * (v_task.key_rate_limit - 1) / v_task.key_rate_limit
          from tasklib.key_rates as k
         where k.name = p_name
           and k.limit_key = v_key
      ));
    end if;
  end loop;
  -- More limit keys are closed than one claim checks. The next claim checks others, so a worker should claim again soon.
  return least(v_in, 0.05);
end;
$$;

comment on function tasklib.key_opens_in is
$$Returns the seconds until a ready task with a limit key may be claimed. Returns 0 if a claim is possible now, infinity if a running task must end first. Checks at most 500 limit keys, and reads a few index entries for each. If all 500 are closed, returns at most 0.05 seconds.$$;
