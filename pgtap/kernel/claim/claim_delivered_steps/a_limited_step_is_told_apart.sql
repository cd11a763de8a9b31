begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.limited();
select tasker.set_limit('test', 'stripe', 1);
select tasker_test.make_limited(2);
create temporary table steps as select s.workflow_step_uuid as step from tasker.workflow_steps as s order by s.task_uuid;
select is((select c.answer::text is null from tasker.claim_delivered_steps(array[(select s.step from steps as s limit 1)], tasker_test.worker()) as c), true, 'a delivered step takes a place of its limit');
prepare second as select c.answer::text from tasker.claim_delivered_steps(array[(select s.step from steps as s offset 1)], tasker_test.worker()) as c;
select results_eq('second', $$ values ('limited') $$, 'a second delivered step is answered as limited');
select tasker_test.complete_limited();
select results_eq('second', $$ values (null::text) $$, 'the second step starts when the first has ended');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
