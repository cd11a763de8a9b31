begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.register('wide', 'lost', 'released', 'failed', 'retried', 'given_up', 'resolved', 'by_hand', 'cancelled', 'pending lost');
select tasker_test.launch('wide');
select from tasker_test.claim();
select tasker.release_steps(array[tasker_test.the_step('released')], '{1}');
select tasker_test.fail('failed');
select tasker_test.fail('given_up', 'no', true);
select tasker.resolve_step_manually(tasker_test.the_step('resolved'), 'me', 'seen to');
select tasker.complete_step_manually(tasker_test.the_step('by_hand'), '{}', 'me', 'seen to');
select tasker_test.move_step(tasker_test.the_step('cancelled'), 'cancelled');
select tasker_test.remember_rows();

prepare late (text) as
  select (select a.answer from tasker.complete_steps(array[tasker_test.the_step($1)], '{1}') as a),
         (select a.answer from tasker.fail_steps(array[tasker_test.the_step($1)], '{1}', '{no}') as a);
select results_eq($$ execute late ('released') $$, $$ values ('stale', 'stale') $$, 'handed back');
select results_eq($$ execute late ('failed') $$, $$ values ('stale', 'retrying') $$, 'failed: it will be tried again');
select results_eq($$ execute late ('given_up') $$, $$ values ('stale', 'failed') $$, 'failed for good');
select results_eq($$ execute late ('resolved') $$, $$ values ('already_complete', 'already_complete') $$, 'resolved by an operator');
select results_eq($$ execute late ('by_hand') $$, $$ values ('already_complete', 'already_complete') $$, 'completed by an operator');
select results_eq($$ execute late ('cancelled') $$, $$ values ('cancelled', 'cancelled') $$, 'cancelled');
select results_eq($$ execute late ('pending') $$, $$ values ('stale', 'stale') $$, 'never claimed');
select is_empty('select tasker_test.changed_tables()', 'nothing is changed');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
