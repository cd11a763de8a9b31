begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "one", "steps": [{"name": "a", "retry": {"base_seconds": 7, "max_attempts": 9}}]}');
select tasker_test.launch('one');
select from tasker_test.claim();
prepare fail (integer, integer) as
  select a.next_retry_at - tasker.clock() from tasker.fail_steps(array[tasker_test.the_step('a')], array[$1], '{no}', null, array[$2]) as a;
select results_eq('execute fail (1, 86400)', $$ values (interval '24 hours') $$, 'a backoff of a day is kept, although it exceeds the longest wait');
select tasker_test.pass('1 day');
select from tasker_test.claim();
select results_eq('execute fail (2, 0)', $$ values (interval '0') $$, 'a backoff of zero is due at once');
select results_eq('select c.attempt from tasker_test.claim() as c', $$ values (3) $$, 'the next claim gets the step');
select tasker.set_setting('backoff_jitter', '0');
select results_eq('execute fail (3, null)', $$ values (interval '56 seconds') $$, 'a null backoff follows the template''s policy');

select * from finish();
rollback;
