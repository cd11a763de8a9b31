begin;
select plan(5);

select tasker_test.freeze();
select tasker.set_setting('result_bytes', '20');
select tasker_test.register('one', 'a');
select tasker_test.launch('one');
select from tasker_test.claim();
select is(tasker_test.complete('a', '"1234567890123456789"'), 'too_large', 'a result that is a byte too large is refused');
select is(tasker_test.the_steps(), 'a in_progress', 'the step is still in progress');
select is(tasker_test.fail('a', 'too large', true), 'failed', 'the worker may fail the step');
select tasker_test.launch('one');
select from tasker_test.claim();
select is(tasker_test.complete('a', '"123456789012345678"'), 'completed', 'a result of the largest size is accepted');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
