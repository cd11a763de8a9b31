begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker_test.pass('30 seconds');
prepare step as
  select s.checkpoint, s.lease_until - tasker.clock() from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top');
select is(tasker.checkpoint_step(tasker_test.the_step('top'), 1, '{"page": 1}'), 'saved', 'the checkpoint is saved');
select results_eq('execute step', $$ values ('{"page": 1}'::jsonb, interval '60 seconds') $$, 'the step has the checkpoint, and its lease is renewed');
select is(tasker.checkpoint_step(tasker_test.the_step('top'), 1, '[2]', 300), 'saved', 'a second checkpoint is saved, with a lease of the given length');
select results_eq('execute step', $$ values ('[2]'::jsonb, interval '5 minutes') $$, 'the step has the newest checkpoint');
select is(tasker.checkpoint_step(tasker_test.the_step('top'), 1, null), 'saved', 'a null checkpoint is saved');
select results_eq('execute step', $$ values (null::jsonb, interval '60 seconds') $$, 'a null checkpoint deletes the one before');
select is((select count(*) from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task()), 2::bigint, 'no log row is written');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
