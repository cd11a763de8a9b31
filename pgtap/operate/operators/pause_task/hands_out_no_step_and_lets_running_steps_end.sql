begin;
select plan(17);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select c.step_uuid as held, c.claim_no as claim from tasker.claim_steps('{test}', tasker_test.worker(), 1) as c \gset
select ok(tasker.pause_task(tasker_test.the_task(), 'the bank is closed', 'ann'), 'pause_task returns true');
select ok(not tasker.pause_task(tasker_test.the_task(), 'again'), 'and false the second time');
select ok((select t.paused from tasker.get_task(tasker_test.the_task()) as t), 'the task is shown as paused');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'no worker gets its ready step');
select is_empty(format('select from tasker.claim_step(%L, tasker_test.worker())', tasker_test.the_step('right')), 'nor by its UUID');
select is((select c.answer::text from tasker.claim_delivered_steps(array[tasker_test.the_step('right')], tasker_test.worker()) as c), 'paused', 'a message of the step is put off');
select is((select a.answer::text from tasker.extend_leases(array[:'held'::uuid], array[:claim]) as a), 'extended', 'the running step keeps its lease');
select is((select answer::text from tasker.complete_steps(array[:'held'::uuid], array[:claim])), 'completed', 'and its result counts');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'and check_integrity finds nothing');
select matches(
  (select x.summary from tasker.explain_step(tasker_test.the_step('right')) as x), 'ann has paused its task at .*: the bank is closed\.$',
  'explain_step says who paused it and why'
);
select is(tasker_test.states(), 'steps_in_process: top=complete left=complete right=enqueued bottom=pending', 'the step stays enqueued');
select results_eq(
  $$ select l.action, l.call, l.actor, l.reason, l.was, l.becomes from tasker.list_administration('tasks', tasker_test.the_task()::text) as l $$,
  $$ values ('update', 'pause_task', 'ann', 'the bank is closed', '{"paused": false}'::jsonb, '{"paused": true}'::jsonb) $$,
  'the log of administration has one entry'
);
select ok(tasker.resume_task(tasker_test.the_task(), 'open again', 'ben'), 'resume_task returns true');
select ok(not tasker.resume_task(tasker_test.the_task()), 'and false the second time');
select tasker_test.run('right');
select tasker_test.run('bottom');
select is(tasker_test.states(), 'complete: top=complete left=complete right=complete bottom=complete', 'the task goes on to its end');
select is_empty('select from tasker.timers', 'and leaves no timer');

select * from finish();
rollback;
