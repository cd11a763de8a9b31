create or replace function tasker.check_step_transitions()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_message text;
begin
  select format('step %s cannot go from %s to %s by event "%s"', tasker.step_uuid(n.task_uuid, n.step_no), n.from_state, n.to_state, n.event)
    into v_message
    from new_rows as n
   where not exists (
     select
       from tasker.step_state_machine as m
      where m.from_state = n.from_state
        and m.event = n.event
        and m.to_state = n.to_state
   )
   limit 1;

  if found then
    raise exception using
      errcode = 'TK409',
      message = v_message,
      hint    = 'tasker.list_step_transitions() shows every transition that is allowed.';
  end if;
  return null;
end;
$$;

comment on function tasker.check_step_transitions() is
$$Trigger function: a transition that the state machine does not hold cannot be logged, whoever asks. Raises TK409.$$;

revoke all on function tasker.check_step_transitions() from public;
