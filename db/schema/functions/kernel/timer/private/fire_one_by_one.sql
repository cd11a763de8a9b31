create or replace function tasker.fire_one_by_one(
  p_due      tasker.timers[],
  p_budgets  tasker.fire_budgets
)
  returns integer
  language plpgsql
as $$
declare
  v_xact  bigint  := pg_current_xact_id()::text::bigint;
  v_timer tasker.timers;
  v_held  tasker.timers[];
  v_wide  boolean := false;
  v_fired integer := 0;
begin
  -- Fire deadlines first, as in a set. Use at most 60 subtransactions, because a session remembers 64 of them. All
  -- other timers stay due.
  for v_timer in
    select d.task_uuid, d.step_no, d.kind, d.due_at, d.xact, d.namespace
      from unnest(p_due) with ordinality as d
     order by d.kind <> 'task_deadline', d.ordinality
     limit 60
  loop
    -- Fire only one map or event, because each of them may use up the call's instances or deliveries. All other timers
    -- stay due.
    continue when v_wide and v_timer.kind in ('expand_map', 'deliver_event');
    begin
      v_held := array(
        select m
          from tasker.timers as m
         where m.task_uuid = v_timer.task_uuid
           and m.step_no = v_timer.step_no
           and m.kind = v_timer.kind
           and m.due_at <= v_timer.due_at
           for update skip locked
      );
      if cardinality(v_held) = 1 and v_timer.kind = 'deliver_event' and v_timer.xact <> v_xact then
        v_fired := v_fired + tasker.due(v_held, '{}', p_budgets, true);
      elsif cardinality(v_held) = 1 then
        v_fired := v_fired + tasker.fire_set(v_held, p_budgets);
      end if;
      v_wide := v_wide or cardinality(v_held) = 1 and v_timer.kind in ('expand_map', 'deliver_event');
    exception when others then
      if tasker.error_pause(sqlstate) is null then
        raise;
      end if;
      perform tasker.postpone_timer(v_timer, sqlstate, sqlerrm);
    end;
  end loop;
  return v_fired;
end;
$$;

comment on function tasker.fire_one_by_one is
$$Fires at most 60 timers, among them at most one map or event, each in its own subtransaction. It is called after an error of one timer has rolled back the work of all timers. Postpones timers that fail, so that no task stops other tasks. Returns how many timers it fired. Locks each timer again, as tasker.fire_timers does. An error for which tasker.error_pause returns null ends the call.$$;
