create or replace function tasker.run_sql_batch(
  p_limit       integer,
  p_namespaces  text[],
  p_slot        tasker.sql_slots,
  p_settings    tasker.settings_now,
  p_own         text[]
)
  returns tasker.sql_runs
  language plpgsql
as $$
declare
  v_end      timestamptz := clock_timestamp() + interval '1 second';
  v_handlers text[]      := array(select h.name from tasker.named_steps as h where starts_with(h.name, 'sql:') order by h.name);
  v_careful  boolean     := tasker.sql_slot_is_lost(p_slot);
  v_run      bigint      := nextval(format('tasker.sql_slot_%s', p_slot.slot_no)::regclass);
  v_worker   uuid        := tasker.enter_sql_worker(p_slot.slot_no, p_namespaces, v_handlers);
  v_done     tasker.sql_runs;
  v_more     tasker.sql_runs;
  v_left     integer     := case when v_careful then least(p_limit, 10) else p_limit end;
  v_moves    tasker.step_moves[];
  v_steps    tasker.claimed_steps[];
begin
  v_done.completed := 0;
  v_done.failed := 0;
  v_done.put_off := 0;
  v_done.more := false;
  -- The loop also claims the SQL steps that become ready when a step of this call completes.
  while v_left > 0 and clock_timestamp() < v_end loop
    v_moves := tasker.claim(p_namespaces, v_worker, v_left, 86400, v_handlers, null, 0, null, p_settings);
    exit when v_moves = '{}';
    -- A separate statement is needed to see the rows that the claim has written.
    v_steps := array(select c from tasker.describe_claims(v_moves, p_settings) as c);
    begin
      v_more := tasker.run_sql_claims(v_steps, v_careful, v_end, p_settings, p_own);
    exception
      when sqlstate 'TK409' then
        v_more := tasker.run_sql_claims(v_steps, true, v_end, p_settings, p_own);
    end;
    v_done.completed := v_done.completed + v_more.completed;
    v_done.failed := v_done.failed + v_more.failed;
    v_done.put_off := v_done.put_off + v_more.put_off;
    v_left := v_left - cardinality(v_steps);
    exit when v_careful;
  end loop;

  update tasker.sql_slots as s set ran = v_run where s.slot_no = p_slot.slot_no;
  if v_done.put_off > 0 then
    perform tasker.fill_sql_slots();
  end if;
  v_done.more := v_done.completed + v_done.failed + v_done.put_off > 0;
  return v_done;
end;
$$;

comment on function tasker.run_sql_batch is
$$Claims at most p_limit SQL steps of these namespaces and runs them. Claim, call and result are committed together. If the last call in this slot left no record, this call runs no step, but puts at most ten steps off. Later calls then run each of these steps alone, so that a step which ends its session does not delay other steps.

The caller holds the slot. Locks queue rows, steps and tasks, without waiting.$$;
