create or replace function tasker.fire_rest(p_receivers integer, p_processor uuid)
  returns boolean
  language plpgsql
as $$
declare
  v_xact   bigint := pg_current_xact_id()::text::bigint;
  v_due    tasker.timers[] := array(
    select m
      from tasker.timers as m
     where m.due_at <= tasker.clock()
     order by m.due_at
     limit 100
       for update skip locked
  );
  v_events uuid[] := array(select d.task_uuid from unnest(v_due) as d where p_receivers > 0 and d.kind = 'deliver_event' and d.xact <> v_xact);
  v_notes  tasker.timers[] := array(select d from unnest(v_due) as d where d.kind in ('undo_task', 'start_child', 'child_ended', 'cancel_child'));
begin
  if cardinality(v_events) = 0 and cardinality(v_notes) = 0 then
    return false;
  end if;
  begin
    if cardinality(v_notes) > 0 then
      perform tasker.fire_set(v_notes, row(100, 0, 0, interval '0', p_processor)::tasker.fire_budgets);
    end if;
    perform tasker.idle(v_events, p_receivers, p_processor);
    return true;
  exception when others then
    if tasker.error_pause(sqlstate) is null then
      raise;
    end if;
  end;
  -- The next claim finds these timers due, and fires them one by one.
  return false;
end;
$$;

comment on function tasker.fire_rest is
$$After a claim has fired timers and found no step, fires the timers that became due because of the first timers. These are notes between tasks, notes about steps that are to be undone next, and events, which it delivers to at most p_receivers steps. Returns whether it fired a timer. After an error it returns false, and leaves the timers to the next call of tasker.fire_timers. Locks the notes and their tasks without waiting.$$;
