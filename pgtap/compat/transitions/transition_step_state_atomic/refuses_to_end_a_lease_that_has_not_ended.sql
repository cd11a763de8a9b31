-- LeaseExpired says that the worker was lost. Otherwise the log would give a reason that is none; whoever
-- wants the step back releases it.
begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.start_task();
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');

prepare expire as
  select tasker.transition_step_state_atomic(tasker_test.the_step('top'), 'in_progress', 'enqueued', null, '{"event": "LeaseExpired"}');

select throws_like('execute expire', 'step % cannot leave in_progress by LeaseExpired: the lease of its worker has not ended', 'a live lease is refused');
select tasker_test.pass('59 seconds');
select throws_like('execute expire', 'step % cannot leave in_progress by LeaseExpired: the lease of its worker has not ended', 'a live lease is refused up to its last second');
select tasker_test.pass('1 second');
select lives_ok('execute expire', 'a lease that has ended is accepted');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
