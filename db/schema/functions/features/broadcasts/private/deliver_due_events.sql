create or replace function tasker.deliver_due_events(p_limit integer, p_processor uuid)
  returns boolean
  language plpgsql
as $$
declare
  v_xact   bigint := pg_current_xact_id()::text::bigint;
  v_events uuid[] := array(
    select m.task_uuid
      from (
        select m.task_uuid, m.kind, m.xact
          from tasker.timers as m
         where m.due_at <= tasker.clock()
         order by m.due_at
         limit 100
           for update skip locked
      ) as m
     where m.kind = 'deliver_event'
       and m.xact <> v_xact
  );
begin
  if cardinality(v_events) = 0 then
    return false;
  end if;
  begin
    perform tasker.deliver_events(v_events, p_limit, interval '0', p_processor);
    return true;
  exception when others then
    if tasker.error_pause(sqlstate) is null then
      raise;
    end if;
  end;
  -- The next claim finds the event due, and gives it to its steps one by one.
  return false;
end;
$$;

comment on function tasker.deliver_due_events is
$$Delivers events that are still due to at most p_limit steps, for a claim that found no step. Returns whether there was one; false also after an error, which is undone and left to the next call of tasker.fire_timers. Locks their notes, without waiting.$$;
