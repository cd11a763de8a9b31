begin;
select plan(5);

create function pg_temp.lease()
  returns integer
  language sql
as $$
  select s.lease_seconds from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top');
$$;

select tasker_test.freeze();
select tasker_test.launch();
select from tasker.claim_steps('{test}', tasker_test.worker(1), 1, 5);
select is(pg_temp.lease(), 5, 'the step has the lease of its claim');
select from tasker.extend_leases(array[tasker_test.the_step('top')], array[tasker_test.claim_no('top')]);
select is(pg_temp.lease(), 5, 'a renewal without a length keeps it');
select from tasker.extend_leases(array[tasker_test.the_step('top')], array[tasker_test.claim_no('top')], 7);
select is(pg_temp.lease(), 7, 'a renewal with a length changes it');
select from tasker.checkpoint_step(tasker_test.the_step('top'), tasker_test.claim_no('top'), '1', 9);
select is(pg_temp.lease(), 9, 'a checkpoint with a length changes it');
select tasker_test.start_task();
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');
select is(pg_temp.lease(), 60, 'a direct call sets the length of the setting');

select * from finish();
rollback;
