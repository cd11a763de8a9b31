begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.register('wide', 'lost', 'done', 'cancelled', 'never');
select tasker_test.launch('wide');
select from tasker_test.claim();
select tasker_test.complete('done');
select tasker_test.move_step(tasker_test.the_step('cancelled'), 'cancelled');
select tasker_test.pass('1 minute');
select from tasker.claim_step(tasker_test.the_step('lost'), tasker_test.worker(2));
select tasker_test.remember_rows();
prepare keep (text, integer) as
  select a.answer from tasker.keep_step_result(tasker_test.the_step($1), $2, 1, 'charge', 1, '{}') as a;
select results_eq($$ execute keep ('lost', 1) $$, $$ values ('stale') $$, 'one whose lease was lost');
select results_eq($$ execute keep ('lost', 3) $$, $$ values ('stale') $$, 'a claim that never was');
select results_eq($$ execute keep ('done', 1) $$, $$ values ('stale') $$, 'one that is done');
select results_eq($$ execute keep ('cancelled', 1) $$, $$ values ('cancelled') $$, 'one that is cancelled');
select results_eq($$ execute keep ('never', 0) $$, $$ values ('stale') $$, 'one that was never claimed');
select is_empty('select tasker_test.changed_tables()', 'nothing is changed');
select results_eq($$ execute keep ('lost', 2) $$, $$ values ('kept') $$, 'its new worker''s is kept');

select * from finish();
rollback;
