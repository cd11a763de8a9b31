create or replace function tasker.claim_closes()
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.release_limits();
end;
$$;

comment on function tasker.claim_closes is
$$Door: the claim that tasker.claim_opens announced has taken its steps.$$;
