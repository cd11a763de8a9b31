begin;
select plan(10);

prepare outcome (integer, integer, integer, integer, integer, boolean) as
  select tasker.task_outcome($1, $2, $3, $4, $5, $6);
select results_eq('execute outcome (4, 1, 1, 1, 1, true)', $$ values ('enqueued') $$, 'steps have just gone into the queue');
select results_eq('execute outcome (4, 1, 1, 1, 1, false)', $$ values ('running') $$, 'some run');
select results_eq('execute outcome (4, 0, 1, 1, 1, false)', $$ values ('retrying') $$, 'only a retry is left, and one that waits');
select results_eq('execute outcome (4, 0, 0, 1, 1, false)', $$ values ('waiting') $$, 'a failure, and a step that waits and can move yet');
select results_eq('execute outcome (4, 0, 0, 1, 0, false)', $$ values ('waiting') $$, 'one that waits');
select results_eq('execute outcome (3, 0, 0, 0, 1, false)', $$ values ('blocked') $$, 'a failure, and nothing can move');
select results_eq('execute outcome (0, 0, 0, 0, 1, false)', $$ values ('blocked') $$, 'a failure, and nothing else is left');
select results_eq('execute outcome (3, 0, 0, 0, 0, false)', $$ values ('waiting') $$, 'open steps that nothing enqueues');
select results_eq('execute outcome (0, 0, 0, 0, 0, false)', $$ values ('complete') $$, 'nothing is left');
select results_eq('execute outcome (2, 0, 1, 0, 0, true)', $$ values ('retrying') $$, 'what was enqueued is gone again');

select * from finish();
rollback;
