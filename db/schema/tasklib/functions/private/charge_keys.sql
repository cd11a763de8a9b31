create or replace function tasklib.charge_keys(p_ids uuid[], p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  insert into tasklib.key_rates as k (name, limit_key, paid_until)
  select c.name, c.limit_key, p_now + make_interval(secs => c.count * r.key_rate_period_seconds / r.key_rate_limit)
    from (
      select t.name, t.limit_key, count(*) as count
        from tasklib.tasks as t
       where t.id = any (p_ids)
         and t.limit_key is not null
       group by t.name, t.limit_key
    ) as c
    join tasklib.registered_tasks as r
      on r.name = c.name
     and r.key_rate_limit is not null
   order by c.name, c.limit_key
  on conflict (name, limit_key) do update
    set paid_until = excluded.paid_until + greatest(k.paid_until - p_now, interval '0');
end;
$$;

comment on function tasklib.charge_keys is
$$Subtracts claims of these tasks from the rates of their limit keys. The caller holds the locks of the names' rows in tasklib.task_limits.$$;
