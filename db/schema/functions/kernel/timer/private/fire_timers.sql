create or replace function tasker.fire_timers(
  p_budgets  tasker.fire_budgets,
  p_since    timestamptz,
  p_turns    text[],
  p_others   integer
)
  returns integer
  language plpgsql
as $$
declare
  v_now timestamptz := tasker.clock();
  v_due tasker.timers[];
begin
  -- The subtransaction includes the locks, because a row that a transaction locks and its subtransaction changes costs
  -- a multixact.
  begin
    loop
      if p_turns is null then
        v_due := array(
          select m
            from tasker.timers as m
           where m.due_at between p_since and v_now + p_budgets.head_start
             and (m.due_at <= v_now or m.kind in ('expand_map', 'deliver_event'))
           order by m.due_at
           limit p_budgets.timers
             for update skip locked
        );
      else
        v_due := tasker.take_timer_turns(p_turns, p_budgets.timers, p_others, p_since, v_now + p_budgets.head_start);
      end if;
      exit when cardinality(v_due) > 0 or p_since = '-infinity';
      p_since := '-infinity'; -- before it gives up, the call reads all timers
    end loop;
    if cardinality(v_due) = 0 then
      return 0;
    end if;
    -- Matching a step that has begun to wait with events costs about as much as two instances of a map.
    if cardinality(v_due) > p_budgets.instances / 2 then
      v_due := array(
        select n.due
          from (
            select d as due, d.kind, row_number() over (partition by d.kind = 'match_wait' order by d.due_at) as place
              from unnest(v_due) as d
          ) as n
         where n.kind <> 'match_wait'
            or n.place <= p_budgets.instances / 2
      );
    end if;
    return tasker.fire_set(v_due, p_budgets);
  exception when others then
    if coalesce(cardinality(v_due), 0) = 0 or tasker.error_pause(sqlstate) is null then
      raise;
    end if;
  end;
  return tasker.fire_one_by_one(v_due, p_budgets);
end;
$$;

comment on function tasker.fire_timers is
$$Fires due timers as tasker.fire_due_timers describes, with checked arguments. It fires the timers that became due at or after p_since (tasker.timer_mark), or all due timers if there are none. Starts at most p_budgets.instances instances of maps. Matches events with at most half as many steps that have begun to wait, and delivers events to at most p_budgets.receivers steps. A claim passes smaller budgets than an orchestrator, because its worker waits for the claimed steps. The rest of a map or of an event's delivery is due p_budgets.head_start later, or at once for a call that passes the same head start. So an orchestrator continues the rest before claims do, because claims pass 0.

If no more timers are due than p_budgets.timers, p_turns is null, and all of them fire. Otherwise p_turns has the namespaces that take turns, and p_others is the number of timers of other namespaces that fire (tasker.take_timer_turns).

If a timer fails, the work of all timers is rolled back, and the timers are fired one by one (tasker.fire_one_by_one). So no task stops a claim.$$;
