create or replace function tasker.erased_mass_action(p_row jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select p_row || jsonb_build_object(
    'arguments', tasker.erased_json(p_row -> 'arguments'), 'reason', 'erased',
    'stopped_why', tasker.erased_text(p_row ->> 'stopped_why')
  );
end;

comment on function tasker.erased_mass_action is
$$Returns the row of a mass action in the log of administration after an erasure.$$;
