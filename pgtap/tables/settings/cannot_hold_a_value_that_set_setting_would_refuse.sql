-- For whoever goes past the function, the owner of the table included.
begin;
select plan(9);

-- Its bounds cannot be changed at all; here the constraints are asked.
alter table tasker.settings disable trigger settings_refuse_key_update;

select throws_ok(
  $$ update tasker.settings set value = 'many' where name = 'max_attempts' $$,
  '23514', 'new row for relation "settings" violates check constraint "settings_value_check"',
  'a value of another kind'
);
select throws_ok(
  $$ update tasker.settings set value = '0' where name = 'max_attempts' $$,
  '23514', 'new row for relation "settings" violates check constraint "settings_value_check"',
  'a value out of bounds'
);
select throws_ok(
  $$ update tasker.settings set value = null where name = 'max_attempts' $$,
  '23502', 'null value in column "value" of relation "settings" violates not-null constraint',
  'no value'
);
select throws_ok(
  $$ update tasker.settings set default_value = 'maybe' where name = 'notify' $$,
  '23514', 'new row for relation "settings" violates check constraint "settings_default_value_check"',
  'a default of another kind'
);
select throws_ok(
  $$ update tasker.settings set minimum = 4 where name = 'max_attempts' $$,
  '23514', null,
  'bounds that the value is outside of'
);
select throws_ok(
  $$ update tasker.settings set minimum = maximum + 1 where name = 'max_attempts' $$,
  '23514', null,
  'bounds that exclude each other'
);
select throws_ok(
  $$ update tasker.settings set kind = 'text' where name = 'max_attempts' $$,
  '23514', null,
  'a kind that there is not'
);
select throws_ok(
  $$ update tasker.settings set choices = null where name = 'notify' $$,
  '23514', null,
  'a choice without choices'
);
select throws_ok(
  $$ update tasker.settings set name = 'Max Attempts' where name = 'max_attempts' $$,
  '23514', 'new row for relation "settings" violates check constraint "settings_name_check"',
  'a name in another style'
);

select * from finish();
rollback;
