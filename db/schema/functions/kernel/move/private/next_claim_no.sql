create or replace function tasker.next_claim_no(p_claim_no integer)
  returns integer
  language sql
  volatile
  parallel restricted
begin atomic
  -- Grow by at most 2^20, so that about 2,000 claims use half of the range. From there on, grow by an ever smaller part
  -- of the rest. After the largest integer, begin again.
  select p_claim_no % 2147483647 + 1 + floor(random() * case
    when p_claim_no % 2147483647 < 1073741824 then 1048576
    else (2147483647 - p_claim_no) / 65536
  end)::integer;
end;

comment on function tasker.next_claim_no is
$$Returns the next claim number, which is larger by a random amount. After the largest integer it returns one of the first numbers. So if the database lost a claim in a failover or a crash, the next claim of the step has another number than the lost claim.$$;
