begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker_test.pass('10 minutes');
select is((select l.answer::text from tasker.extend_leases(array[tasker_test.the_step('top')], '{1}') as l), 'extended', 'a lease that has ended is renewed if no other claim took the step');
select is_empty('select from tasker_test.claim(1, 2)', 'another worker does not get the step');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
