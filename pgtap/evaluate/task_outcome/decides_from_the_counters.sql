begin;
select plan(12);

prepare outcome (integer, integer, integer, integer, integer, boolean, text) as
  select tasker.task_outcome($1, $2, $3, $4, $5, $6, $7);
select results_eq('execute outcome (4, 1, 1, 1, 1, true, ''halt'')', $$ values ('enqueued') $$, 'steps have just gone into the queue');
select results_eq('execute outcome (4, 1, 1, 1, 1, false, ''halt'')', $$ values ('running') $$, 'some run');
select results_eq('execute outcome (4, 0, 1, 1, 1, false, ''halt'')', $$ values ('retrying') $$, 'only a retry is left, and one that waits');
select results_eq('execute outcome (4, 0, 0, 1, 1, false, ''halt'')', $$ values ('waiting') $$, 'a failure, and a step that waits and can move yet');
select results_eq('execute outcome (4, 0, 0, 1, 0, false, ''halt'')', $$ values ('waiting') $$, 'one that waits');
select results_eq('execute outcome (3, 0, 0, 0, 1, false, ''halt'')', $$ values ('blocked') $$, 'a failure, and nothing can move');
select results_eq('execute outcome (0, 0, 0, 0, 1, false, ''halt'')', $$ values ('blocked') $$, 'a failure, and nothing else is left');
select results_eq('execute outcome (3, 0, 0, 0, 1, false, ''fail'')', $$ values ('failed') $$, 'the same, in a task that fails then');
select results_eq('execute outcome (3, 0, 0, 1, 1, false, ''fail'')', $$ values ('waiting') $$, 'but not while a step waits');
select results_eq('execute outcome (3, 0, 0, 0, 0, false, ''halt'')', $$ values ('waiting') $$, 'open steps that nothing enqueues');
select results_eq('execute outcome (0, 0, 0, 0, 0, false, ''halt'')', $$ values ('complete') $$, 'nothing is left');
select results_eq('execute outcome (2, 0, 1, 0, 0, true, ''halt'')', $$ values ('retrying') $$, 'what was enqueued is gone again');

select * from finish();
rollback;
