begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.limited();
select tasker.set_limit('test', 'stripe', 1);
select tasker_test.make_limited(2);
create temporary table steps as select s.workflow_step_uuid as step, s.claim_no from tasker.workflow_steps as s order by s.task_uuid;
select is((select count(*) from tasker.claim_step((select s.step from steps as s offset 1), tasker_test.worker())), 1::bigint, 'a known step takes a place of its limit');
select is((select count(*) from tasker.claim_step((select s.step from steps as s limit 1), tasker_test.worker())), 0::bigint, 'a second step finds no place');
select tasker_test.complete_limited();
select is((select count(*) from tasker.claim_step((select s.step from steps as s limit 1), tasker_test.worker())), 1::bigint, 'the second step starts when the first has ended');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
