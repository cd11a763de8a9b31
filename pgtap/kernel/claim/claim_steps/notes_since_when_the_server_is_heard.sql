begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker_test.pass('10 minutes');

-- What crash recovery and a promotion do.
delete from tasker.lease_clock;
select is(tasker.leases_heard_since(), tasker.clock(), 'the server counts as reachable from now on if there is no note');
select is_empty('select from tasker_test.claim()', 'no lease has ended');
select is((select min(c.heard_since) from tasker.lease_clock as c), tasker.clock(), 'the claim writes the note');

select tasker_test.pass('59 seconds');
select is_empty('select from tasker_test.claim()', 'the worker has the time of its lease to renew it');
select tasker_test.pass('1 second');
select is((select count(*) from tasker_test.claim()), 1::bigint, 'the step is lost after that time');
select is((select count(*) from tasker.lease_clock), 1::bigint, 'later claims write no further note');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
