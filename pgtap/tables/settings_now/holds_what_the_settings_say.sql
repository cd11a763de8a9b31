begin;
select plan(6);

select tasker_test.take_turn();
-- A range that has begun since the row was written makes no difference to creations.
prepare differences as
  select to_jsonb(c) - 'covered_from' from tasker.settings_now as c except select to_jsonb(c) - 'covered_from' from tasker.current_settings() as c;
select is_empty('differences', 'the row equals the settings after the installation');

select tasker.set_setting('lease_seconds', '17');
select tasker.set_setting('backoff_jitter', '0.5');
select results_eq(
  'select c.lease_seconds, c.backoff_jitter from tasker.settings_now as c', 'values (17, 0.5)', 'the row has the new values of two settings'
);

select tasker.register_namespace('tap_now', p_transport => 'broker');
select ok((select c.any_brokered from tasker.settings_now as c), 'the row says that a namespace has a broker');
select tasker.register_namespace('tap_now', p_transport => 'table');
select is_empty('differences', 'the row equals the settings when that namespace has none');

create role tap_bound;
select tasker.bind_role('tap_bound', '{tap_now}');
select ok((select c.any_bound from tasker.settings_now as c), 'the row says that a role is bound');
select tasker.bind_role('tap_bound', null);
select is_empty('differences', 'the row equals the settings when that role is free');

select * from finish();
rollback;
