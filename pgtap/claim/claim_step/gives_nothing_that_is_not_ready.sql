begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.register('chain', 'a', 'b a');
select tasker_test.launch('chain');
prepare claim (text) as select c.claim_no from tasker.claim_step(tasker_test.the_step($1), tasker_test.worker()) as c;
select is_empty($$ execute claim ('b') $$, 'not one that waits for its parents');
select results_eq($$ execute claim ('a') $$, $$ values (1) $$, 'one that is ready');
select tasker_test.fail('a');
select is_empty($$ execute claim ('a') $$, 'not one that waits for its next attempt');
select tasker_test.pass('1 hour');
select is_empty($$ execute claim ('a') $$, 'nor before its timer has been fired');
select tasker.fire_due_timers();
select results_eq($$ execute claim ('a') $$, $$ values (2) $$, 'then it is');
select tasker_test.complete('a');
select is_empty($$ execute claim ('a') $$, 'not one that is done');
select tasker.cancel_task(tasker_test.the_task(), 'me', 'enough');
select is_empty($$ execute claim ('b') $$, 'not one that is cancelled');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
