begin;
select plan(6);

select tasker_test.freeze();
prepare later as select tasker.next_due_at('{test}', false, true) - tasker.clock();
select tasker_test.register('one', 'a');
select tasker_test.register('two', 'b');
select results_eq('execute later', $$ values (null::interval) $$, 'an empty database returns null');
select tasker_test.launch('one');
select results_eq('execute later', $$ values (null::interval) $$, 'a ready step is due already and does not count');
select from tasker_test.claim();
select from tasker.fail_steps(array[tasker_test.the_step('a')], '{1}', '{no}', null, '{20}');
select tasker_test.launch('two');
select tasker_test.pass('1 second');
select results_eq('execute later', $$ values (interval '19 seconds') $$, 'the retry of a step is returned beside a ready step');
select from tasker.create_task('test', 'two', '{"n": 2}', p_start_at => tasker.clock() + interval '5 seconds');
select results_eq('execute later', $$ values (interval '5 seconds') $$, 'the earliest later time is returned');
select tasker_test.pass('6 seconds');
select results_eq('execute later', $$ values (interval '13 seconds') $$, 'a timer that is due already does not count');
select is(tasker.next_due_at('{test}') <= tasker.clock(), true, 'without p_later the answer is that something is due');

select * from finish();
rollback;
