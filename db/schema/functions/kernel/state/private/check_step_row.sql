create or replace function tasker.check_step_row(p_row record)
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
       p_row.pending_parents, p_row.satisfied_parents, p_row.total_parents - p_row.pending_parents - p_row.satisfied_parents,
       p_row.attempts, p_row.lost_count, p_row.claim_no, p_row.step_no - 1, 65535 - p_row.step_no, p_row.max_attempts - 1, 10000 - p_row.max_attempts,
       p_row.timeout_seconds - 1
     ) >= 0
     and coalesce(p_row.backoff_request_seconds >= 0, true) then
    if p_row.state = 'in_progress' then
      if (p_row.pending_parents = 0 or p_row.join_mode = 'first' and p_row.satisfied_parents > 0) and p_row.lease_until is not null and p_row.next_retry_at is null and p_row.processed_at is null then
        return true;
      end if;
    elsif p_row.state = 'complete' then
      if p_row.processed_at is not null and p_row.lease_until is null and p_row.next_retry_at is null then
        return true;
      end if;
    elsif p_row.state = 'waiting_for_retry' then
      if (p_row.pending_parents = 0 or p_row.join_mode = 'first' and p_row.satisfied_parents > 0) and p_row.next_retry_at is not null and p_row.lease_until is null and p_row.processed_at is null then
        return true;
      end if;
    elsif num_nonnulls(p_row.lease_until, p_row.next_retry_at, p_row.processed_at) = 0
      and (
        p_row.pending_parents = 0 or p_row.state in ('pending', 'error', 'cancelled') or p_row.join_mode = 'first' and p_row.satisfied_parents > 0
      ) and p_row.state <> 'resolved_manually' then
      return true;
    end if;
  end if;

  -- Null satisfies a rule, as in any CHECK.
  v_rule := case
    when not p_row.step_no between 1 and 65535 then 'step_no'
    when least(
           p_row.pending_parents, p_row.satisfied_parents, p_row.total_parents - p_row.pending_parents - p_row.satisfied_parents
         ) < 0 then 'parents'
    when p_row.pending_parents <> 0
     and p_row.state not in ('pending', 'complete', 'error', 'cancelled', 'resolved_manually')
     and (p_row.join_mode <> 'first' or p_row.satisfied_parents = 0) then 'runs_after_its_parents'
    when least(p_row.attempts, p_row.lost_count, p_row.claim_no) < 0 or not p_row.max_attempts between 1 and 10000 then 'attempts'
    when (p_row.lease_until is not null) <> (p_row.state = 'in_progress') then 'lease'
    when (p_row.next_retry_at is not null) <> (p_row.state = 'waiting_for_retry') then 'retry'
    when (p_row.processed_at is not null) <> (p_row.state in ('complete', 'resolved_manually')) then 'processed_at'
    when p_row.backoff_request_seconds < 0 then 'backoff'
    when p_row.timeout_seconds <= 0 then 'timeout_seconds'
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
      p_row.step_no, p_row.state, p_row.total_parents, p_row.pending_parents, p_row.satisfied_parents, p_row.claim_no, p_row.attempts,
      p_row.max_attempts, p_row.lost_count
    ),
    schema     = 'tasker',
    table      = 'workflow_steps',
    constraint = v_rule;
end;
$$;

comment on function tasker.check_step_row is
$$CHECK constraint of each partition of tasker.workflow_steps with all rules of a row. Returns true, or raises 23514 with the name of the broken rule.

One function of the whole row instead of nine expressions, because PostgreSQL parses a CHECK again in every statement that writes the table, and each column that it names costs as much as the rule. A partitioned table cannot have a CHECK of the whole row, its partitions can: tasker.finish_leaves gives it to them. It sets no search_path for the same reason; it uses only operators of pg_catalog, and only the table's owner can run it.$$;
