-- One below the smallest and one above the greatest value, for every setting that is a number.
begin;
select plan(3);

create function pg_temp.refusal(p_name text, p_value text)
  returns text
  language plpgsql
as $$
begin
  perform tasker.set_setting(p_name, p_value);
  return null;
exception when sqlstate 'TK422' then
  return sqlerrm;
end;
$$;

create temporary table beyond as
  select s.name, v.value::text
    from tasker.list_settings() as s
   cross join lateral (values
     (s.minimum - case s.name when 'backoff_base' then 0.001 else 1 end),
     (s.maximum + 1)
   ) as v (value)
   where s.kind in ('integer', 'numeric');

select isnt_empty('select from beyond', 'there are settings with bounds');
select is_empty(
  $$
  select name, value
    from beyond
   where pg_temp.refusal(name, value) is distinct
    from format('setting "%s" cannot be "%s"', name, value)
  $$,
  'a value out of bounds is refused by name and value'
);
select is_empty(
  $$ select name from tasker.list_settings() where changed_at is not null $$,
  'no setting has changed'
);

select * from finish();
rollback;
