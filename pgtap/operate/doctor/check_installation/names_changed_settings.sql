begin;
select plan(2);

select tasker_test.take_turn();
select is(
  (select message from tasker.check_installation() where name = 'settings'), 'all have their defaults',
  'all settings have their defaults at first'
);

select tasker.set_setting('lease_seconds', '30') = '60' as was_default;
select tasker.set_setting('notify', 'off') = 'asleep' as was_default;
select results_eq(
  $$ select status, message from tasker.check_installation() where name = 'settings' $$,
  $$ values ('ok', 'lease_seconds is 30, not 60, notify is off, not asleep') $$,
  'the message names each changed setting with its default'
);

select * from finish();
rollback;
