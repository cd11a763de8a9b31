begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.register('wide', 'lost', 'done', 'failed', 'cancelled', 'never done');
select tasker_test.launch('wide');
select from tasker_test.claim();
select tasker_test.complete('done');
select tasker_test.fail('failed');
select tasker_test.move_step(tasker_test.the_step('cancelled'), 'cancelled');
select tasker_test.pass('1 minute');
select from tasker.claim_step(tasker_test.the_step('lost'), tasker_test.worker(2));
select tasker_test.remember_rows();
prepare checkpoint (text, integer) as select tasker.checkpoint_step(tasker_test.the_step($1), $2, '{"late": true}');
select results_eq($$ execute checkpoint ('lost', 1) $$, $$ values ('stale') $$, 'one whose lease was lost');
select results_eq($$ execute checkpoint ('lost', 3) $$, $$ values ('stale') $$, 'a claim that never was');
select results_eq($$ execute checkpoint ('done', 1) $$, $$ values ('stale') $$, 'one that is done');
select results_eq($$ execute checkpoint ('failed', 1) $$, $$ values ('stale') $$, 'one that failed');
select results_eq($$ execute checkpoint ('cancelled', 1) $$, $$ values ('cancelled') $$, 'one that is cancelled');
select results_eq($$ execute checkpoint ('never', 0) $$, $$ values ('stale') $$, 'one that nobody claimed');
select is_empty('select tasker_test.changed_tables()', 'nothing is changed');
select results_eq($$ execute checkpoint ('lost', 2) $$, $$ values ('saved') $$, 'its new worker''s is saved');

select * from finish();
rollback;
