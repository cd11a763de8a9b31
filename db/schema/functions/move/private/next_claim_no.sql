create or replace function tasker.next_claim_no(p_claim_no integer)
  returns integer
  language sql
  volatile
  parallel restricted
begin atomic
  -- By at most 2^20, of which a step's claims use up half the range after some 2,000; from there on by an ever smaller
  -- part of what is left.
  select p_claim_no + 1 + floor(random() * case
    when p_claim_no < 1073741824 then 1048576
    else (2147483647 - p_claim_no) / 65536
  end)::integer;
end;

comment on function tasker.next_claim_no(integer) is
$$The claim number that follows this one: larger by a random amount, so that a claim which this database has lost, in a failover or a crash, has another number than the one that it gave out instead.$$;

revoke all on function tasker.next_claim_no(integer) from public;
