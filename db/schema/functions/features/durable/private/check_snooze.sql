create or replace function tasker.check_snooze(p_step_uuid uuid, p_claim_no integer, p_seconds double precision, p_reason text)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text := case
    when num_nulls(p_step_uuid, p_claim_no, p_seconds) > 0 then 'a snooze needs the step, the number of its claim and the seconds'
    when p_seconds not between 0.001 and 31536000 then format('a snooze of %s seconds is out of bounds', p_seconds)
    when length(p_reason) > 20000 then format('the reason of a snooze has %s characters', length(p_reason))
  end;
begin
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = v_problem,
      hint    = 'A snooze lasts from a millisecond to a year, 31536000 seconds, and its reason has at most 20,000 characters.';
  end if;
end;
$$;

comment on function tasker.check_snooze is
$$Raises TK422 for a snooze without a step, a claim or a time, for a time out of bounds, and for a reason that is too long.$$;
