begin;
select plan(4);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
create temporary view schedules as
  select c.status, c.message from tasker.check_installation() as c where c.name = 'schedules';
select results_eq('select * from schedules', $$ values ('ok', 'there are none') $$, 'the finding is ok without schedules');
select tasker_test.hourly('a');
select tasker_test.hourly('b');
select results_eq('select * from schedules', $$ values ('ok', '2, and none fails') $$, 'the finding is ok if no schedule fails');
select tasker.retire_task_template('test', 'report', '0.1.0');
select tasker_test.tick('1 hour');
select results_eq('select * from schedules', $$ values ('warn', '2 of 2 fail: test/a, test/b') $$, 'the finding names the schedules that fail');

create role tap_other;
grant tasker_reader to tap_other;
select tasker.register_namespace('other');
create role tap_login in role tap_other;
select tasker.bind_role('tap_other', '{other}');
set local session authorization tap_login;
set local role tap_other;
select results_eq(
  $$ select c.status, c.message from tasker.check_installation() as c where c.name = 'schedules' $$, $$ values ('ok', 'there are none') $$, 'a bound role sees no schedules of other namespaces');
reset role;
reset session authorization;

select * from finish();
rollback;
