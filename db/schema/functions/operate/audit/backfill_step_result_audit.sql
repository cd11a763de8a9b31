create or replace function tasker.backfill_step_result_audit(
  p_since  timestamptz  default null,
  p_until  timestamptz  default null,
  p_limit  integer      default null
)
  returns bigint
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  perform tasker.check_page_size(p_limit);
  return 0;
end;
$$;

comment on function tasker.backfill_step_result_audit is
$$Returns 0, because there is nothing to backfill: the audit is a view of the step log (tasker.workflow_step_result_audit), so every recorded result has its row.

For callers that expect an audit table. Locks nothing. Raises TK422 for a limit out of bounds, TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.backfill_step_result_audit
  to tasker_operator;
