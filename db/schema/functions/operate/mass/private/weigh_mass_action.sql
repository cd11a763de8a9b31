create or replace function tasker.weigh_mass_action(p_action tasker.mass_actions)
  returns tasker.mass_actions
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_action tasker.mass_actions := p_action;
  v_open   integer; -- these three count only entries since the action was started or resumed
  v_passed integer;
  v_failed integer;
begin
  select
    count(*) filter (where e.state = 'waits'), count(*) filter (where e.state = 'open'), count(*) filter (where e.state = 'passed'),
    count(*) filter (where e.state = 'failed'), count(*) filter (where e.state = 'skipped'),
    count(*) filter (where e.state = 'open' and e.acted_at >= v_action.since),
    count(*) filter (where e.state = 'passed' and e.acted_at >= v_action.since),
    count(*) filter (where e.state = 'failed' and e.acted_at >= v_action.since)
    into v_action.waits, v_action.open, v_action.passed, v_action.failed, v_action.skipped, v_open, v_passed, v_failed
    from tasker.selection_entries as e
   where e.selection_uuid = v_action.selection_uuid;
  if v_action.state <> 'running' then
    return v_action;
  end if;

  if v_failed > 0 and v_failed > v_action.stop_share * (v_passed + v_failed) and (v_action.canary or v_passed + v_failed >= 10)
     and v_action.waits > 0 then
    v_action.state := 'stopped';
    v_action.stopped_by := 'stop rule';
    v_action.stopped_why := format('%s of %s outcomes are failures, more than %s %%', v_failed, v_passed + v_failed, round(100 * v_action.stop_share, 1));
  elsif v_action.waits = 0 then
    v_action.state := 'done';
    v_action.ended_at := tasker.clock();
  elsif v_action.stage < 3 and v_open + v_passed + v_failed >= (case v_action.stage when 1 then 1 else 11 end) then
    if v_open = 0 then
      v_action.stage := v_action.stage + 1;
      v_action.stage_at := tasker.clock();
    elsif tasker.clock() > v_action.acted_at + make_interval(secs => v_action.canary_seconds) then
      v_action.state := 'stopped';
      v_action.stopped_by := 'canary';
      v_action.stopped_why := format(
        'the outcome of %s %s is not known after %s seconds', v_open, case v_open when 1 then 'entry' else 'entries' end, v_action.canary_seconds
      );
    end if;
  end if;
  return v_action;
end;
$$;

comment on function tasker.weigh_mass_action is
$$Returns a mass action with its counts, and with the state and the stage that follow from the counts. The action may be
stopped by its stop rule, stopped because the outcome of its canary stays unknown, at its next stage, or done. Writes
nothing.$$;
