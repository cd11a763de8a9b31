begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.register('wide', 'lost', 'done', 'cancelled', 'never');
select tasker_test.launch('wide');
select from tasker_test.claim();
prepare append (text, integer) as
  select a.answer::text from tasker.append_items(tasker_test.the_step($1), $2, 'log', '["x"]') as a;
select results_eq($$ execute append ('done', 1) $$, $$ values ('saved') $$, 'a line of a running step is saved');
select tasker_test.complete('done');
select tasker_test.move_step(tasker_test.the_step('cancelled'), 'cancelled');
select tasker_test.pass('1 minute');
select from tasker.claim_step(tasker_test.the_step('lost'), tasker_test.worker(2));
select tasker_test.remember_rows();
select results_eq($$ execute append ('lost', 1) $$, $$ values ('stale') $$, 'a claim whose lease was lost is stale');
select results_eq($$ execute append ('lost', 3) $$, $$ values ('stale') $$, 'a claim number that was never assigned is stale');
select results_eq($$ execute append ('done', 1) $$, $$ values ('stale') $$, 'a claim of a complete step is stale');
select results_eq($$ execute append ('cancelled', 1) $$, $$ values ('cancelled') $$, 'a claim of a cancelled step is told so');
select results_eq($$ execute append ('never', 0) $$, $$ values ('stale') $$, 'a step that was never claimed is stale');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select results_eq($$ execute append ('lost', 2) $$, $$ values ('saved') $$, 'a line of the new worker is saved');

select * from finish();
rollback;
