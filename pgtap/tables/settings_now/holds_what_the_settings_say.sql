begin;
select plan(12);

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

select tasker.set_setting('notify', 'always');
select ok((select c.any_announced from tasker.settings_now as c), 'the row says that the setting announces each transition');
select tasker.set_setting('notify', 'asleep');
select ok(not (select c.any_announced from tasker.settings_now as c), 'the row says that nothing is announced without a watcher');
update tasker.task_namespaces set notify = 'always' where name = 'tap_now';
select ok((select c.any_announced from tasker.settings_now as c), 'the row says that a namespace always announces');
update tasker.task_namespaces set notify = null where name = 'tap_now';
select is_empty('differences', 'the row equals the settings when that namespace does as the setting says');
insert into tasker.task_namespaces (name, notify) values ('tap_told', 'always');
select ok((select c.any_announced from tasker.settings_now as c), 'the row says that a new namespace always announces');
delete from tasker.task_namespaces where name = 'tap_told';
select is_empty('differences', 'the row equals the settings when that namespace is gone');

create role tap_bound;
select tasker.bind_role('tap_bound', '{tap_now}');
select ok((select c.any_bound from tasker.settings_now as c), 'the row says that a role is bound');
select tasker.bind_role('tap_bound', null);
select is_empty('differences', 'the row equals the settings when that role is free');

select * from finish();
rollback;
