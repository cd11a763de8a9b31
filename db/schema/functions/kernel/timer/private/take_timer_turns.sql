create or replace function tasker.take_timer_turns(
  p_namespaces  text[],
  p_limit       integer,
  p_others      integer,
  p_since       timestamptz,
  p_until       timestamptz
)
  returns tasker.timers[]
  language plpgsql
as $$
declare
  v_turns text[];
  v_due   tasker.timers[];
begin
  -- A timer without a namespace fires in every turn. Pairs are compared, so that only the index of both columns serves
  -- the search.
  v_turns := array(
    select u.name
      from unnest(p_namespaces || ''::text) as u (name)
     cross join lateral (
       select from tasker.timers as m where (m.namespace, m.due_at) between (u.name, p_since) and (u.name, p_until) limit 1
     ) as t
     order by random()
     limit p_limit
  );
  v_due := tasker.take_timer_share(v_turns, p_limit / greatest(cardinality(v_turns), 1), p_since, p_until);
  if p_others > 0 then
    v_turns := array(
      select o.name
        from (
          select n.name
            from tasker.task_namespaces as n
           where n.name <> all (p_namespaces)
           order by random()
           limit 20
        ) as o
       cross join lateral (
         select from tasker.timers as m where (m.namespace, m.due_at) between (o.name, p_since) and (o.name, p_until) limit 1
       ) as t
       limit p_others
    );
    v_due := v_due || tasker.take_timer_share(v_turns, p_others / greatest(cardinality(v_turns), 1), p_since, p_until);
  end if;
  return v_due;
end;
$$;

comment on function tasker.take_timer_turns is
$$Locks due timers without waiting if more timers are due than a call fires. It locks at most p_limit timers, in equal shares, of the namespaces in p_namespaces that have due timers (tasker.take_timer_share), and about p_others timers of twenty other namespaces, chosen at random.$$;
