create or replace function tasker.fire_events(p_due tasker.timers[], p_budgets tasker.fire_budgets)
  returns integer
  language plpgsql
as $$
declare
  v_xact   bigint := pg_current_xact_id()::text::bigint;
  v_events uuid[] := array(select d.task_uuid from unnest(p_due) as d where d.kind = 'deliver_event' and d.xact <> v_xact);
  v_own    uuid[] := array(select d.task_uuid from unnest(p_due) as d where d.kind = 'deliver_event' and d.xact = v_xact);
begin
  if cardinality(v_events) > 0 then
    perform tasker.deliver_events(
      v_events, least(p_budgets.timers, p_budgets.receivers), p_budgets.head_start, p_budgets.processor_uuid
    );
  end if;
  return cardinality(v_events)
    + case when cardinality(v_own) > 0 then tasker.deliver_own_events(v_own, p_budgets.timers, p_budgets.processor_uuid) else 0 end;
end;
$$;

comment on function tasker.fire_events is
$$Delivers the events whose notes are due to the steps that wait for them. Events of other transactions go to at most p_budgets.receivers steps; events of this transaction go to the steps that this transaction sees. Returns the number of due events of other transactions, plus the number of steps that took an event of this transaction.$$;
