create or replace function tasker.check_step_row(
  p_state                    tasker.step_state,
  p_join_mode                tasker.join_mode,
  p_total_parents            integer,
  p_pending_parents          integer,
  p_satisfied_parents        integer,
  p_claim_no                 integer,
  p_attempts                 integer,
  p_lost_count               integer,
  p_backoff_request_seconds  double precision,
  p_next_retry_at            timestamptz,
  p_lease_until              timestamptz,
  p_processed_at             timestamptz
)
  returns boolean
  language plpgsql
  immutable
  parallel safe
as $$
declare
  v_rule text;
begin
  -- The rules of the row's state are expressions of their own, because a transaction prepares only the expressions that
  -- it reaches.
  if least(
       p_pending_parents, p_satisfied_parents, p_total_parents - p_pending_parents - p_satisfied_parents,
       p_attempts, p_lost_count, p_claim_no
     ) >= 0
     and coalesce(p_backoff_request_seconds >= 0, true) then
    if p_lease_until is null and p_next_retry_at is null and p_processed_at is null then
      if p_state not in ('in_progress', 'waiting_for_retry', 'complete', 'resolved_manually') and (
           p_pending_parents = 0 or p_state in ('pending', 'error', 'cancelled') or p_join_mode = 'first' and p_satisfied_parents > 0
         ) then
        return true;
      end if;
    elsif p_state = 'in_progress' then
      if (p_pending_parents = 0 or p_join_mode = 'first' and p_satisfied_parents > 0)
         and p_lease_until is not null and p_next_retry_at is null and p_processed_at is null then
        return true;
      end if;
    elsif p_state = 'complete' then
      if p_processed_at is not null and p_lease_until is null and p_next_retry_at is null then
        return true;
      end if;
    elsif p_state = 'waiting_for_retry' then
      if (p_pending_parents = 0 or p_join_mode = 'first' and p_satisfied_parents > 0)
         and p_next_retry_at is not null and p_lease_until is null and p_processed_at is null then
        return true;
      end if;
    end if;
  end if;

  -- A rule whose value is null is satisfied, as in any CHECK.
  v_rule := case
    when least(
           p_pending_parents, p_satisfied_parents, p_total_parents - p_pending_parents - p_satisfied_parents
         ) < 0 then 'parents'
    when p_pending_parents <> 0
     and p_state not in ('pending', 'complete', 'error', 'cancelled', 'resolved_manually')
     and (p_join_mode <> 'first' or p_satisfied_parents = 0) then 'runs_after_its_parents'
    when least(p_attempts, p_lost_count, p_claim_no) < 0 then 'attempts'
    when (p_lease_until is not null) <> (p_state = 'in_progress') then 'lease'
    when (p_next_retry_at is not null) <> (p_state = 'waiting_for_retry') then 'retry'
    when (p_processed_at is not null) <> (p_state in ('complete', 'resolved_manually')) then 'processed_at'
    when p_backoff_request_seconds < 0 then 'backoff'
  end;
  if v_rule is null then
    return true;
  end if;
  v_rule := 'workflow_steps_' || v_rule || '_check';
  raise exception using
    errcode    = '23514',
    message    = format('new row for relation "workflow_steps" violates check constraint "%s"', v_rule),
    detail     = format(
      'state %s, parents %s of which %s are pending and %s satisfied, claim %s, attempt %s, lost %s times',
      p_state, p_total_parents, p_pending_parents, p_satisfied_parents, p_claim_no, p_attempts, p_lost_count
    ),
    schema     = 'tasker',
    table      = 'workflow_steps',
    constraint = v_rule;
end;
$$;

comment on function tasker.check_step_row is
$$CHECK constraint of tasker.workflow_steps with the rules of the columns that change. Returns true, or raises 23514 with the name of the broken rule. tasker.check_new_steps has the rules of the columns that never change.

The rules are in one function instead of one expression for each rule, because PostgreSQL parses a CHECK again in every statement that writes the table. Each column that the CHECK names costs such a statement 4,000 instructions. A CHECK of the whole row would name no column, but would form a value of 57 columns for each row that is written, which makes writing sets of steps a tenth more expensive. Because of the cost, the function also sets no search_path. That is safe, because the function uses only operators of pg_catalog, and only the table's owner can run it.$$;
