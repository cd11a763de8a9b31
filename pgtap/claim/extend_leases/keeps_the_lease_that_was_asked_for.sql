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
select is(pg_temp.lease(), 5, 'the lease of the claim');
select from tasker.extend_leases(array[tasker_test.the_step('top')], array[tasker_test.claim_no('top')]);
select is(pg_temp.lease(), 5, 'a renewal that names none leaves it');
select from tasker.extend_leases(array[tasker_test.the_step('top')], array[tasker_test.claim_no('top')], 7);
select is(pg_temp.lease(), 7, 'one that names one changes it');
select from tasker.checkpoint_step(tasker_test.the_step('top'), tasker_test.claim_no('top'), '1', 9);
select is(pg_temp.lease(), 9, 'as does a checkpoint');
select tasker_test.start_task();
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');
select is(pg_temp.lease(), 60, 'a direct call gives the setting''s');

select * from finish();
rollback;
