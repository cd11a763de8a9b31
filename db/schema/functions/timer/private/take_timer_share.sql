create or replace function tasker.take_timer_share(p_namespaces text[], p_share integer, p_since timestamptz, p_until timestamptz)
  returns tasker.timers[]
  language plpgsql
as $$
declare
  v_now timestamptz := tasker.clock();
begin
  return array(
    select t.due
      from unnest(p_namespaces) as u (name)
     cross join lateral (
       select m as due
         from tasker.timers as m
        where m.kind in ('cancel_child', 'task_deadline')
          and (m.namespace, m.due_at) between (u.name, p_since) and (u.name, v_now)
        order by m.namespace, m.due_at
        limit p_share
          for update skip locked
     ) as t
  ) || array(
    select t.due
      from unnest(p_namespaces) as u (name)
     cross join lateral (
       select m as due
         from tasker.timers as m
        where (m.namespace, m.due_at) between (u.name, p_since) and (u.name, p_until)
          and m.kind not in ('cancel_child', 'task_deadline')
          and (m.due_at <= v_now or m.kind in ('expand_map', 'deliver_event'))
        order by m.namespace, m.due_at
        limit p_share
          for update skip locked
     ) as t
  );
end;
$$;

comment on function tasker.take_timer_share(text[], integer, timestamptz, timestamptz) is
$$Locks due timers of these namespaces, without waiting: at most p_share of each that cancel or end tasks, and as many others.$$;

revoke all on function tasker.take_timer_share(text[], integer, timestamptz, timestamptz) from public;
