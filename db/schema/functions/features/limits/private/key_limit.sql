create or replace function tasker.key_limit(p_limit_no integer, p_limit_key text)
  returns setof tasker.limits
  language sql
  stable
begin atomic
  select
    l.limit_no, l.namespace, l.name,
    case when b.limit_no is not null then b.concurrency when l.concurrency = 0 then 0 else coalesce(i.concurrency, l.concurrency) end,
    case when b.limit_no is null then l.rate else b.rate end,
    coalesce(b.per_seconds, l.per_seconds), coalesce(b.burst, l.burst),
    l.version, l.created_at, l.created_by, l.updated_at, l.updated_by, l.with_places, l.with_inputs
  from tasker.limits as l
  left join lateral (
    select b.limit_no, b.concurrency, b.rate, b.per_seconds, b.burst
      from tasker.limit_bounds as b
     where b.limit_no = p_limit_no
       and b.limit_key = p_limit_key
    offset 0
  ) as b on true
  left join lateral (
    select i.concurrency
      from tasker.limit_input_bounds as i
     where l.with_inputs
       and i.limit_no = p_limit_no
       and i.limit_key = p_limit_key
     order by i.bound_no desc
     limit 1
  ) as i on true
  where l.limit_no = p_limit_no
  offset 0;
end;

comment on function tasker.key_limit is
$$Returns a limit with the bounds that apply to a key: the key's own bounds, or else the bounds of the limit with the bound that the contexts of tasks give the key. A limit of 0 stops all keys without bounds of their own. The planner inlines the function.$$;
