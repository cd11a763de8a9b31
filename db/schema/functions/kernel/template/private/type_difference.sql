create or replace function tasker.type_difference(p_difference jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select format(
    '%s is %s, not %s',
    case p_difference ->> 'of' when '$context' then 'the context' else format('the result of "%s"', p_difference ->> 'of') end,
    p_difference ->> 'registered', p_difference ->> 'named'
  );
end;

comment on function tasker.type_difference is
$$Describes a difference that tasker.type_differences has found.$$;
