create or replace function tasklib.key_places(
  p_task   tasklib.registered_tasks,
  p_key    text,
  p_limit  integer,
  p_now    timestamptz
)
  returns integer
  language plpgsql
  stable
as $$
declare
  v_free  integer := p_limit;
  v_rated integer;
begin
  if p_task.key_concurrency_limit is not null then
    v_free := least(v_free, p_task.key_concurrency_limit - (
      select count(*)
        from (
          select
            from tasklib.tasks as t
           where t.name = p_task.name
             and t.limit_key = p_key
             and t.limit_key is not null
             and t.locked_until is not null
           limit p_task.key_concurrency_limit
        ) as t
    ));
  end if;
  if p_task.key_rate_limit is null or v_free <= 0 then
    return greatest(v_free, 0);
  end if;

  v_rated := (
    select floor(
        p_task.key_rate_limit * (1 - least(1, extract(epoch from k.paid_until - p_now) / p_task.key_rate_period_seconds)) + 0.000001
      )
      from (
        -- The subquery finds the row by its primary key. Without "offset 0", a plan from a time when the table was small
        -- could read the rows of all keys by paid_until.
        select k.paid_until
          from tasklib.key_rates as k
         where k.name = p_task.name
           and k.limit_key = p_key
        offset 0
      ) as k
     where k.paid_until > p_now
  );
  return case when v_rated <= 0 then -1 else least(v_free, v_rated, p_task.key_rate_limit) end;
end;
$$;

comment on function tasklib.key_places is
$$Returns how many tasks of a limit key may be claimed now, at most p_limit. Returns 0 if key_concurrency_limit tasks of the limit key are running, -1 if only the rate of the limit key is used up.$$;
