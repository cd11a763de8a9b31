create or replace function tasker.check_step_claims(p_step_uuids uuid[], p_claim_nos integer[])
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps constant integer := coalesce(cardinality(p_step_uuids), 0);
begin
  if coalesce(cardinality(p_claim_nos), 0) <> v_steps
     or array_ndims(p_step_uuids) > 1
     or array_ndims(p_claim_nos) > 1
     or array_position(p_step_uuids, null) is not null
     or array_position(p_claim_nos, null) is not null then
    raise exception using
      errcode = 'TK422',
      message = 'steps and claim numbers do not match',
      detail  = format('%s steps, %s claim numbers, none of which may be null.', v_steps, coalesce(cardinality(p_claim_nos), 0)),
      hint    = 'Pass for each step the claim number that its claim returned.';
  end if;
  if v_steps > 10000 then
    raise exception using
      errcode = 'TK413',
      message = format('%s steps are too many for one call', v_steps),
      hint    = 'Send at most 10,000 at once.';
  end if;
  if v_steps > 1 then
    if (select count(distinct u.step_uuid) from unnest(p_step_uuids) as u (step_uuid)) < v_steps then
      raise exception using
        errcode = 'TK422',
        message = 'a call names the same step twice',
        hint    = 'Send one result for each claimed step.';
    end if;
  end if;
end;
$$;

comment on function tasker.check_step_claims is
$$Raises TK422 if a step is named twice or has no claim number, TK413 for more than 10,000 steps.$$;
