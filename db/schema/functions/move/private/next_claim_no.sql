create or replace function tasker.next_claim_no(p_claim_no integer)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select p_claim_no + 1;
end;

comment on function tasker.next_claim_no(integer) is
$$The claim number that follows this one.$$;

revoke all on function tasker.next_claim_no(integer) from public;
