begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select tasker_test.launch('one');
select tasker.pause_namespace('test');
select is_empty('select from tasker_test.claim()', 'a claim gets nothing of a paused namespace');
select is_empty($$ select from tasker.claim_step(tasker_test.the_step('a'), tasker_test.worker()) $$, 'a claim by name gets nothing of a paused namespace');
select tasker.resume_namespace('test');
select results_eq('select c.name from tasker_test.claim() as c', $$ values ('a') $$, 'the step is in its old place after the pause');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
