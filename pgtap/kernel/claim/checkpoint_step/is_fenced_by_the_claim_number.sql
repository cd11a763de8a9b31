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
prepare checkpoint (text, integer) as select tasker.checkpoint_step(tasker_test.the_step($1), $2, '{"late": true}')::text;
select results_eq($$ execute checkpoint ('lost', 1) $$, $$ values ('stale') $$, 'a claim whose lease was lost is stale');
select results_eq($$ execute checkpoint ('lost', 3) $$, $$ values ('stale') $$, 'a claim number that was never assigned is stale');
select results_eq($$ execute checkpoint ('done', 1) $$, $$ values ('stale') $$, 'a claim of a complete step is stale');
select results_eq($$ execute checkpoint ('failed', 1) $$, $$ values ('stale') $$, 'a claim of a failed step is stale');
select results_eq($$ execute checkpoint ('cancelled', 1) $$, $$ values ('cancelled') $$, 'a claim of a cancelled step is told so');
select results_eq($$ execute checkpoint ('never', 0) $$, $$ values ('stale') $$, 'a step that was never claimed is stale');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select results_eq($$ execute checkpoint ('lost', 2) $$, $$ values ('saved') $$, 'the checkpoint of the new worker is saved');

select * from finish();
rollback;
