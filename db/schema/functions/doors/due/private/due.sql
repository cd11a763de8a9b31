create or replace function tasker.due(
  p_due      tasker.timers[],
  p_locked   uuid[],
  p_budgets  tasker.fire_budgets,
  p_singly   boolean  default false
)
  returns integer
  language plpgsql
as $$
declare
  v_xact   bigint := pg_current_xact_id()::text::bigint;
  v_waited uuid[];
  v_waits  integer[];
  v_noted  boolean;
  v_mapped uuid[];
  v_maps   integer[];
  v_undone uuid[];
  v_raced  uuid[];
  v_races  integer[];
  v_late   tasker.timers[];
  v_begun  uuid[];
  v_begins integer[];
  v_served uuid[];
  v_fired  integer;
begin
  if p_singly then
    perform tasker.deliver_event(
      p_due[1].task_uuid, least(p_budgets.timers, p_budgets.receivers, 60), p_budgets.head_start, p_budgets.processor_uuid, true
    );
    return 1;
  end if;
  select
    array_agg(d.task_uuid) filter (where d.kind = 'end_wait'),
    array_agg(d.step_no) filter (where d.kind = 'end_wait'),
    array_agg(d.task_uuid order by d.due_at) filter (where d.kind = 'expand_map'),
    array_agg(d.step_no order by d.due_at) filter (where d.kind = 'expand_map'),
    array_agg(d.task_uuid) filter (where d.kind = 'undo_task'),
    array_agg(d.task_uuid order by d.task_uuid, d.step_no) filter (where d.kind = 'end_race'),
    array_agg(d.step_no order by d.task_uuid, d.step_no) filter (where d.kind = 'end_race'),
    array_agg(d order by d.task_uuid, d.step_no) filter (where d.kind = 'start_within'),
    bool_or(d.kind in ('start_child', 'child_ended', 'cancel_child')),
    array_agg(d.task_uuid order by d.task_uuid) filter (where d.kind = 'serve_run'),
    -- Leave notes that this transaction wrote to a later transaction, because this transaction does not see the rows
    -- that other transactions are about to commit.
    array_agg(d.task_uuid) filter (where d.kind = 'match_wait' and d.xact <> v_xact),
    array_agg(d.step_no) filter (where d.kind = 'match_wait' and d.xact <> v_xact),
    count(*) filter (where d.kind not in ('task_deadline', 'start_task', 'advance_task', 'retry_step') and (d.kind <> 'match_wait' or d.xact <> v_xact))
    into v_waited, v_waits, v_mapped, v_maps, v_undone, v_raced, v_races, v_late, v_noted, v_served, v_begun, v_begins, v_fired
    from unnest(p_due) as d
   where d.task_uuid = any (p_locked);
  -- Match waits before the time-outs, because an event that came in time ends the wait.
  if v_begun is not null then
    perform tasker.match_waits(v_begun, v_begins, p_budgets.processor_uuid);
  end if;
  if cardinality(p_locked) < cardinality(p_due) then
    v_fired := v_fired + tasker.fire_events(p_due, p_budgets);
  end if;
  if v_waited is not null then
    perform tasker.fire_waits(v_waited, v_waits, p_budgets.processor_uuid);
  end if;
  if v_raced is not null then
    perform tasker.end_races(v_raced, v_races, p_budgets.processor_uuid);
  end if;
  if v_late is not null then
    perform tasker.fail_late_starts(v_late, p_budgets.processor_uuid);
  end if;
  if v_mapped is not null then
    perform tasker.expand_maps(v_mapped, v_maps, p_budgets);
  end if;
  if v_undone is not null then
    perform tasker.undo_tasks(v_undone, p_budgets.processor_uuid);
  end if;
  if v_noted then
    perform tasker.fire_notes(array(select d from unnest(p_due) as d where d.task_uuid = any (p_locked)), p_budgets.processor_uuid);
  end if;
  if v_served is not null then
    perform tasker.fire_runs(v_served, p_budgets.processor_uuid);
  end if;
  if cardinality(p_locked) < cardinality(p_due) then
    -- Each of these timers creates a task, so a claim fires only a few of them. The next claim finds the rest due.
    v_fired := v_fired + (
      select count(*) filter (where tasker.fire_schedule(d.task_uuid))
        from (select d.task_uuid from unnest(p_due) as d where d.kind = 'fire_schedule' limit 20) as d
    );
  end if;
  return v_fired;
end;
$$;

comment on function tasker.due is
$$Door: timers whose kind belongs to a feature are due. p_locked are the locked tasks of these timers. Fires the timers, kind by kind, and returns how many. With p_singly, delivers only the event of the first timer, to receivers one by one.$$;
