-- While a task is being undone its running steps are answered cancelled, and their leases end after lease_seconds at most.
begin;
select plan(13);

select tasker_test.freeze();
select tasker_test.create_undoable('long', '{"A!","B!"}');
select from tasker.claim_steps('{test}', tasker_test.worker(1), 10, p_handlers => '{A,B}', p_lease_seconds => 3600);
select tasker.cancel_task(tasker_test.the_task(), 'no', 'ann');
select results_eq(
  $$ select s.name, s.lease_until - tasker.clock(), q.visible_at = s.lease_until
       from tasker.list_steps(tasker_test.the_task()) as s join tasker.step_queue as q using (task_uuid, step_no) order by s.name $$,
  $$ values ('A', '60 seconds'::interval, true), ('B', '60 seconds', true) $$, 'leases of an hour end in a minute'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select results_eq(
  $$ select x.answer::text, x.lease_until from tasker.extend_leases(array[tasker_test.the_step('A')], array[tasker_test.claim_no('A')], 3600) as x $$,
  $$ values ('cancelled', null::timestamptz) $$, 'a renewal is answered cancelled'
);
select is(tasker.checkpoint_step(tasker_test.the_step('A'), tasker_test.claim_no('A'), '1'), 'cancelled', 'a checkpoint is answered cancelled');
select results_eq(
  $$ select s.name, s.lease_until - tasker.clock() from tasker.list_steps(tasker_test.the_task()) as s order by s.name $$,
  $$ values ('A', '60 seconds'::interval), ('B', '60 seconds') $$, 'neither renews the lease'
);
select tasker_test.pass('59 seconds');
select is(tasker_test.finish('A'), 'completed', 'a result that comes before the end of the lease counts');
select is(tasker_test.undo(), 'steps_in_process: A=complete B=in_progress', 'the other step may still end');
select tasker_test.pass('1 hour');
select from tasker.claim_steps('{test}', tasker_test.worker(2), 1, p_handlers => '{A,B}');
select is(tasker_test.undo(), 'steps_in_process: A=complete B=error undo A=enqueued undo B=enqueued', 'the step counts as lost, and both are undone');
select is(tasker_test.finish('B'), 'stale', 'a later result is refused');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.claim('undo B');
select results_eq(
  $$ select x.answer::text from tasker.extend_leases(array[tasker_test.the_step('undo B')], array[tasker_test.claim_no('undo B')], 3600) as x $$,
  $$ values ('extended') $$, 'the lease of a compensation is renewed'
);
select tasker_test.finish('undo B');
select tasker_test.run('undo A');
select is(tasker_test.undo(), 'cancelled: A=complete B=error undo A=complete undo B=complete', 'the task ends');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
