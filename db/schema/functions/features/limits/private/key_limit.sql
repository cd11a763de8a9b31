create or replace function tasker.key_limit(p_limit_no integer, p_limit_key text)
  returns setof tasker.limits
  language sql
  stable
begin atomic
  select
    l.limit_no, l.namespace, l.name,
    case when b.limit_no is null then l.concurrency else b.concurrency end,
    case when b.limit_no is null then l.rate else b.rate end,
    coalesce(b.per_seconds, l.per_seconds), coalesce(b.burst, l.burst),
    l.version, l.created_at, l.created_by, l.updated_at, l.updated_by, l.with_places
  from tasker.limits as l
  left join lateral (
    select b.limit_no, b.concurrency, b.rate, b.per_seconds, b.burst
      from tasker.limit_bounds as b
     where b.limit_no = p_limit_no
       and b.limit_key = p_limit_key
    offset 0
  ) as b on true
  where l.limit_no = p_limit_no
  offset 0;
end;

comment on function tasker.key_limit is
$$Returns a limit with the bounds that apply to a key: the key's own bounds, or else the bounds of the limit. The planner inlines the function.$$;
