create or replace function tasker.step_effects(p_step jsonb)
  returns smallint
  language sql
  immutable
  parallel safe
begin atomic
  -- One bit for each feature, and one feature for each bit: 4, limits.
  select (case when p_step ? 'limit' then 4 else 0 end)::smallint;
end;

comment on function tasker.step_effects is
$$Returns the effects of a step of a template in normal form: the features that its moves concern.$$;
