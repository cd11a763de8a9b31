create or replace function tasker.check_step_row(
  p_state                    tasker.step_state,
  p_step_no                  integer,
  p_total_parents            integer,
  p_pending_parents          integer,
  p_satisfied_parents        integer,
  p_claim_no                 integer,
  p_attempts                 integer,
  p_max_attempts             integer,
  p_lost_count               integer,
  p_timeout_seconds          integer,
  p_backoff_request_seconds  double precision,
  p_next_retry_at            timestamptz,
  p_lease_until              timestamptz,
  p_processed_at             timestamptz,
  p_join_mode                text
)
  returns boolean
  language plpgsql
  immutable
  parallel safe
as $$
declare
  v_rule text;
begin
  -- The rules of the state that the row is in, each an expression of its own: a transaction prepares only those that it reaches.
  if least(
       p_pending_parents, p_satisfied_parents, p_total_parents - p_pending_parents - p_satisfied_parents,
       p_attempts, p_lost_count, p_claim_no, p_step_no - 1, 65535 - p_step_no, p_max_attempts - 1, 10000 - p_max_attempts,
       p_timeout_seconds - 1
     ) >= 0
     and coalesce(p_backoff_request_seconds >= 0, true) then
    if p_state = 'in_progress' then
      if (p_pending_parents = 0 or p_join_mode = 'first' and p_satisfied_parents > 0) and p_lease_until is not null and p_next_retry_at is null and p_processed_at is null then
        return true;
      end if;
    elsif p_state = 'complete' then
      if p_processed_at is not null and p_lease_until is null and p_next_retry_at is null then
        return true;
      end if;
    elsif p_state = 'waiting_for_retry' then
      if (p_pending_parents = 0 or p_join_mode = 'first' and p_satisfied_parents > 0) and p_next_retry_at is not null and p_lease_until is null and p_processed_at is null then
        return true;
      end if;
    elsif num_nonnulls(p_lease_until, p_next_retry_at, p_processed_at) = 0
      and (
        p_pending_parents = 0 or p_state in ('pending', 'error', 'cancelled') or p_join_mode = 'first' and p_satisfied_parents > 0
      ) and p_state <> 'resolved_manually' then
      return true;
    end if;
  end if;

  -- Null satisfies a rule, as in any CHECK.
  v_rule := case
    when not p_step_no between 1 and 65535 then 'step_no'
    when least(
           p_pending_parents, p_satisfied_parents, p_total_parents - p_pending_parents - p_satisfied_parents
         ) < 0 then 'parents'
    when p_pending_parents <> 0
     and p_state not in ('pending', 'complete', 'error', 'cancelled', 'resolved_manually')
     and (p_join_mode <> 'first' or p_satisfied_parents = 0) then 'runs_after_its_parents'
    when least(p_attempts, p_lost_count, p_claim_no) < 0 or not p_max_attempts between 1 and 10000 then 'attempts'
    when (p_lease_until is not null) <> (p_state = 'in_progress') then 'lease'
    when (p_next_retry_at is not null) <> (p_state = 'waiting_for_retry') then 'retry'
    when (p_processed_at is not null) <> (p_state in ('complete', 'resolved_manually')) then 'processed_at'
    when p_backoff_request_seconds < 0 then 'backoff'
    when p_timeout_seconds <= 0 then 'timeout_seconds'
  end;
  if v_rule is null then
    return true;
  end if;
  v_rule := 'workflow_steps_' || v_rule || '_check';
  raise exception using
    errcode    = '23514',
    message    = format('new row for relation "workflow_steps" violates check constraint "%s"', v_rule),
    detail     = format(
      'step %s: state %s, parents %s of which %s are pending and %s satisfied, claim %s, attempt %s of %s, lost %s times',
      p_step_no, p_state, p_total_parents, p_pending_parents, p_satisfied_parents, p_claim_no, p_attempts,
      p_max_attempts, p_lost_count
    ),
    schema     = 'tasker',
    table      = 'workflow_steps',
    constraint = v_rule;
end;
$$;

comment on function tasker.check_step_row is
$$CHECK constraint of tasker.workflow_steps with all rules of a row. Returns true, or raises 23514 with the name of the broken rule.

One function instead of nine expressions, because PostgreSQL parses each expression again in every statement that writes the table. It sets no search_path for the same reason; it uses only operators of pg_catalog, and only the table's owner can run it.$$;
