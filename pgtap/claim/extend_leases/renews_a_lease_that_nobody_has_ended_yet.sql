begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker_test.pass('10 minutes');
select is((select l.answer from tasker.extend_leases(array[tasker_test.the_step('top')], '{1}') as l), 'extended', 'late, but nobody else has taken it');
select is_empty('select from tasker_test.claim(1, 2)', 'it belongs to its worker again');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
