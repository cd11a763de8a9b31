create or replace function tasker.lock_limit_keys(
  p_namespaces  text[],
  p_handlers    text[],
  p_count       integer,
  p_now         timestamptz,
  p_settings    tasker.settings_now
)
  returns setof tasker.limit_keys
  language plpgsql
as $$
declare
  v_dice    bigint  := (random() * 2147483647)::bigint;
  v_start   integer := floor(random() * 4294967296 - 2147483648);
  v_limits  integer[];
  v_keys    text[];
  v_missing boolean[];
begin
  -- The namespaces take turns, within a namespace its limits, and within a limit its keys. The key that was served
  -- longest ago comes first.
  with wanted as materialized (
    select distinct u.name from unnest(p_handlers) as u (name)
    union
    select h.handler from tasker.limit_handlers as h where p_handlers is null
  ),
  mine as materialized (
    select h.limit_no, h.named_step_uuid, l.namespace, l.version
      from wanted as w
     cross join lateral (
       select h.limit_no, h.named_step_uuid
         from tasker.limit_handlers as h
        where h.handler = w.name
       offset 0
     ) as h
     cross join lateral (
       select l.namespace, l.version
         from tasker.limits as l
        where l.limit_no = h.limit_no
       offset 0
     ) as l
     where l.namespace = any (p_namespaces)
       and not tasker.is_paused(l.namespace, h.named_step_uuid, p_settings)
  ),
  found as (
    select m.namespace, m.limit_no, s.limit_key, s.next_at
      from mine as m
     cross join lateral (
       (
         select s.limit_key, least(s.next_at, p_now) as next_at
           from tasker.limit_lines as s
          where s.limit_no = m.limit_no
            and s.named_step_uuid = m.named_step_uuid
            and s.version < m.version
          order by s.version, s.next_at
          limit 2 * p_count + 10
       )
       union all
       (
         select s.limit_key, s.next_at
           from tasker.limit_lines as s
          where s.limit_no = m.limit_no
            and s.named_step_uuid = m.named_step_uuid
            and s.version = m.version
            and s.next_at <= p_now
          order by s.next_at
          limit 2 * p_count + 10
       )
     ) as s
    union all
    select m.namespace, m.limit_no, n.limit_key, least(n.noted_at, p_now)
      from (
        select distinct m.namespace, m.limit_no
          from mine as m
         where exists (select from tasker.limit_notes as n where n.limit_no = m.limit_no offset 0)
      ) as m
     cross join lateral tasker.noted_limit_keys(m.limit_no, v_start, p_count + 4) as n
  ),
  keys as (
    select f.namespace, f.limit_no, f.limit_key, min(f.next_at) as next_at
      from found as f
     group by f.namespace, f.limit_no, f.limit_key
  ),
  turns as (
    select k.*, row_number() over (partition by k.limit_no order by k.next_at, hashtextextended(k.limit_key, v_dice)) as turn
      from keys as k
  ),
  namespace_turns as (
    select t.*, row_number() over (partition by t.namespace order by t.turn, hashtextextended(t.limit_no::text, v_dice)) as namespace_turn
      from turns as t
  )
  select
    array_agg(t.limit_no order by t.namespace_turn, hashtextextended(t.namespace, v_dice)),
    array_agg(t.limit_key order by t.namespace_turn, hashtextextended(t.namespace, v_dice)),
    array_agg(not exists (
      select
        from tasker.limit_keys as k
       where k.limit_no = t.limit_no
         and k.limit_key = t.limit_key
      offset 0
    ) order by t.namespace_turn, hashtextextended(t.namespace, v_dice))
    into v_limits, v_keys, v_missing
    from namespace_turns as t;
  if v_limits is null then
    return;
  end if;

  if true = any (v_missing) then
    perform tasker.insert_limit_keys(v_limits, v_keys, v_missing);
  end if;
  return query
  select k.*
    from unnest(v_limits, v_keys) as u (limit_no, limit_key)
   cross join lateral (
     select k.*
       from tasker.limit_keys as k
      where k.limit_no = u.limit_no
        and k.limit_key = u.limit_key
        for no key update skip locked
   ) as k
   limit p_count;
end;
$$;

comment on function tasker.lock_limit_keys is
$$Locks and returns up to p_count keys that a claim should check. The keys belong to limits of these handlers in these namespaces. The namespaces, the limits of a namespace and the keys of a limit take turns. Skips keys that another transaction has locked.$$;
