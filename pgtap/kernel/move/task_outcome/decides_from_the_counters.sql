begin;
select plan(17);

prepare outcome (integer, integer, integer, integer, integer, boolean, text) as
  select tasker.task_outcome($1, $2, $3, $4, $5, $6, $7);
select results_eq('execute outcome (4, 1, 1, 1, 1, true, ''halt'')', $$ values ('enqueued') $$, 'a task with newly enqueued steps has the outcome enqueued');
select results_eq('execute outcome (4, 1, 1, 1, 1, false, ''halt'')', $$ values ('running') $$, 'a task with running steps is running');
select results_eq('execute outcome (4, 0, 1, 1, 1, false, ''halt'')', $$ values ('retrying') $$, 'a task with a retry and a waiting step is retrying');
select results_eq('execute outcome (4, 0, 0, 1, 1, false, ''halt'')', $$ values ('waiting') $$, 'a task with a failure and a waiting step is waiting');
select results_eq('execute outcome (4, 0, 0, 1, 0, false, ''halt'')', $$ values ('waiting') $$, 'a task with a waiting step is waiting');
select results_eq('execute outcome (3, 0, 0, 0, 1, false, ''halt'')', $$ values ('blocked') $$, 'a task with a failure and no step that can move is blocked');
select results_eq('execute outcome (0, 0, 0, 0, 1, false, ''halt'')', $$ values ('blocked') $$, 'a task with only a failure left is blocked');
select results_eq('execute outcome (3, 0, 0, 0, 1, false, ''fail'')', $$ values ('failed') $$, 'a task that fails on failure has failed');
select results_eq('execute outcome (3, 0, 0, 1, 1, false, ''fail'')', $$ values ('waiting') $$, 'a task that fails on failure waits for its waiting step');
select results_eq('execute outcome (3, 0, 0, 0, 0, false, ''halt'')', $$ values ('waiting') $$, 'a task with open steps that nothing enqueues is waiting');
select results_eq('execute outcome (0, 0, 0, 0, 0, false, ''halt'')', $$ values ('complete') $$, 'a task without open steps is complete');
select results_eq('execute outcome (2, 0, 1, 0, 0, true, ''halt'')', $$ values ('retrying') $$, 'newly enqueued steps do not count if no step is active');
select results_eq('execute outcome (0, 0, 0, 0, 0, false, ''undo'')', $$ values ('undo') $$, 'a task that is undone and has no open step has something to undo');
select results_eq('execute outcome (1, 1, 0, 0, 0, false, ''undo'')', $$ values ('running') $$, 'a task that is undone is running while a step is active');
select results_eq('execute outcome (3, 0, 0, 0, 0, false, ''drain'')', $$ values ('undo') $$, 'a task that drains has something to undo when no step is active');
select results_eq('execute outcome (3, 1, 0, 0, 0, false, ''drain'')', $$ values ('running') $$, 'a task that drains is running while a step is active');
select results_eq('execute outcome (3, 2, 1, 0, 0, false, ''drain'')', $$ values ('undo') $$, 'a task that drains does not wait for a retry');

select * from finish();
rollback;
