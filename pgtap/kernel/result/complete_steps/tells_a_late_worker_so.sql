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
  select (select a.answer::text from tasker.complete_steps(array[tasker_test.the_step($1)], '{1}') as a),
         (select a.answer::text from tasker.fail_steps(array[tasker_test.the_step($1)], '{1}', '{no}') as a);
select results_eq($$ execute late ('released') $$, $$ values ('stale', 'stale') $$, 'results of a released step are stale');
select results_eq($$ execute late ('failed') $$, $$ values ('stale', 'retrying') $$, 'a result of a failed step is stale, and its failure is answered again');
select results_eq($$ execute late ('given_up') $$, $$ values ('stale', 'failed') $$, 'a result of a step that failed for good is stale, and its failure is answered again');
select results_eq($$ execute late ('resolved') $$, $$ values ('already_complete', 'already_complete') $$, 'results of a step that an operator resolved are answered as already complete');
select results_eq($$ execute late ('by_hand') $$, $$ values ('already_complete', 'already_complete') $$, 'results of a step that an operator completed are answered as already complete');
select results_eq($$ execute late ('cancelled') $$, $$ values ('cancelled', 'cancelled') $$, 'results of a cancelled step are told so');
select results_eq($$ execute late ('pending') $$, $$ values ('stale', 'stale') $$, 'results of a step that was never claimed are stale');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
