-- These constraints also hold for statements that bypass set_setting, even the owner's.
begin;
select plan(9);

-- This trigger refuses any change of the bounds. Disable it to reach the constraints.
alter table tasker.settings disable trigger settings_refuse_key_update;

select throws_ok(
  $$ update tasker.settings set value = 'many' where name = 'max_attempts' $$,
  '23514', 'new row for relation "settings" violates check constraint "settings_value_check"',
  'a value of another kind is refused'
);
select throws_ok(
  $$ update tasker.settings set value = '0' where name = 'max_attempts' $$,
  '23514', 'new row for relation "settings" violates check constraint "settings_value_check"',
  'a value out of bounds is refused'
);
select throws_ok(
  $$ update tasker.settings set value = null where name = 'max_attempts' $$,
  '23502', 'null value in column "value" of relation "settings" violates not-null constraint',
  'a null value is refused'
);
select throws_ok(
  $$ update tasker.settings set default_value = 'maybe' where name = 'notify' $$,
  '23514', 'new row for relation "settings" violates check constraint "settings_default_value_check"',
  'a default of another kind is refused'
);
select throws_ok(
  $$ update tasker.settings set minimum = 4 where name = 'max_attempts' $$,
  '23514', null,
  'bounds that exclude the value are refused'
);
select throws_ok(
  $$ update tasker.settings set minimum = maximum + 1 where name = 'max_attempts' $$,
  '23514', null,
  'a minimum above the maximum is refused'
);
select throws_ok(
  $$ update tasker.settings set kind = 'text' where name = 'max_attempts' $$,
  '23514', null,
  'an unknown kind is refused'
);
select throws_ok(
  $$ update tasker.settings set choices = null where name = 'notify' $$,
  '23514', null,
  'a setting of kind choice needs choices'
);
select throws_ok(
  $$ update tasker.settings set name = 'Max Attempts' where name = 'max_attempts' $$,
  '23514', 'new row for relation "settings" violates check constraint "settings_name_check"',
  'a name with capitals and a blank is refused'
);

select * from finish();
rollback;
