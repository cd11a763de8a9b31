create or replace function tasker.take_timer_share(p_namespaces text[], p_share integer, p_since timestamptz, p_until timestamptz)
  returns tasker.timers[]
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.clock();
  v_first tasker.timers[];
begin
  v_first := array(
    select t.due
      from unnest(p_namespaces) as u (name)
     cross join lateral (
       select m as due
         from tasker.timers as m
        where m.namespace = u.name
          and m.kind = 'cancel_child'
          and m.due_at between p_since and v_now
        order by m.due_at
        limit p_share
          for update skip locked
     ) as t
  );
  return v_first || array(
    select t.due
      from unnest(p_namespaces) as u (name)
     cross join lateral (select p_share - count(*) as places from unnest(v_first) as f where f.namespace = u.name) as o
     cross join lateral (
       select m as due
         from tasker.timers as m
        where m.namespace = u.name
          and m.due_at between p_since and p_until
          and m.kind <> 'cancel_child'
          and (m.due_at <= v_now or m.kind in ('expand_map', 'deliver_event'))
        order by m.due_at
        limit o.places
          for update skip locked
     ) as t
  );
end;
$$;

comment on function tasker.take_timer_share is
$$Locks at most p_share due timers of each of these namespaces, without waiting. Timers that cancel tasks come before other timers.$$;
