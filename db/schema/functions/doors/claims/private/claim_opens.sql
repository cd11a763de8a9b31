create or replace function tasker.claim_opens(p_handlers text[], p_settings tasker.settings_now)
  returns boolean
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  if not tasker.is_gated(p_handlers, p_settings) then
    return false;
  end if;
  v_ok := tasker.hold_limits();
  return true;
end;
$$;

comment on function tasker.claim_opens is
$$Door: results are recorded, and a claim for these handlers follows in the same call. Returns whether tasker.claim_closes has to be called after the claim.$$;
