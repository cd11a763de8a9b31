create or replace function tasker.put_off_sql_step(p_step tasker.claimed_steps, p_conflicts integer)
  returns void
  language plpgsql
as $$
begin
  insert into tasker.sql_attempts as a (task_uuid, step_no, claim_no, namespace, timeout_seconds, conflicts)
  values (p_step.task_uuid, p_step.step_no, p_step.claim_no, p_step.namespace, p_step.timeout_seconds, p_conflicts)
  on conflict (task_uuid, step_no) do update
     set claim_no        = excluded.claim_no,
         timeout_seconds = excluded.timeout_seconds,
         conflicts       = excluded.conflicts,
         due_at          = excluded.due_at;
end;
$$;

comment on function tasker.put_off_sql_step is
$$Puts a claimed step off: writes its attempt, so that a later call runs the step alone. Replaces an attempt of the same step under an earlier claim.$$;
