begin;
select plan(5);

select tasker_test.freeze();
select tasker.set_setting('result_bytes', '20');
select tasker_test.register('one', 'a');
select tasker_test.launch('one');
select from tasker_test.claim();
select is(tasker_test.complete('a', '"1234567890123456789"'), 'too_large', 'a byte too much');
select is(tasker_test.the_steps(), 'a in_progress', 'its worker still has it');
select is(tasker_test.fail('a', 'too large', true), 'failed', 'and may fail it');
select tasker_test.launch('one');
select from tasker_test.claim();
select is(tasker_test.complete('a', '"123456789012345678"'), 'completed', 'as much as there may be');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
