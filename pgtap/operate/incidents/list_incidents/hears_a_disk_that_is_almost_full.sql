begin;
select plan(4);

select tasker_test.freeze('2026-11-21 10:00:00Z');
-- No test can fill a disk: the rule is lowered instead.
update tasker.incident_rules set look_at = 0.0000001 where kind = 'disk';
select tasker_test.judge();
select tasker_test.judge();
select is(tasker_test.severity('disk'), null, 'a disk of unknown size is not judged');
select tasker.set_setting('disk_gigabytes', '1000');
select tasker_test.judge();
select is(tasker_test.severity('disk'), null, 'one judgement does not raise it');
select tasker_test.judge();
select results_eq(
  $$ select i.severity, i.what ~ '^The database takes [0-9.]+ GB of 1000$' from tasker.list_incidents() as i where i.kind = 'disk' $$,
  $$ values ('look_today', true) $$, 'a database above the share of its rule is heard after two'
);
update tasker.incident_rules set look_at = 0.8 where kind = 'disk';
select tasker_test.pass('6 minutes');
select tasker_test.judge();
select is(tasker_test.severity('disk'), null, 'a disk with room is no incident');

select * from finish();
rollback;
