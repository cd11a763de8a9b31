begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.register('chain', 'a', 'b a');
select tasker_test.launch('chain');
prepare claim (text) as select c.claim_no from tasker.claim_step(tasker_test.the_step($1), tasker_test.worker()) as c;
select is_empty($$ execute claim ('b') $$, 'a step that waits for its parents is not claimed');
select results_eq($$ execute claim ('a') $$, $$ values (1) $$, 'a ready step is claimed');
select tasker_test.fail('a');
select is_empty($$ execute claim ('a') $$, 'a step that waits for its next attempt is not claimed');
select tasker_test.pass('1 hour');
select is_empty($$ execute claim ('a') $$, 'a due step is not claimed before its timer has fired');
select tasker.fire_due_timers();
select results_eq($$ execute claim ('a') $$, $$ values (2) $$, 'the step is claimed after its timer has fired');
select tasker_test.complete('a');
select is_empty($$ execute claim ('a') $$, 'a complete step is not claimed');
select tasker.cancel_task(tasker_test.the_task(), 'me', 'enough');
select is_empty($$ execute claim ('b') $$, 'a cancelled step is not claimed');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
