begin;
select plan(11);

create function pg_temp.why(p_name text) returns text language sql as $$
  select x.summary from tasker.explain_step(tasker_test.the_step(p_name)) as x;
$$;
select tasker_test.freeze();
select tasker_test.create_undoable('order', '{A!,"B! A",C,"D! B"}');
select tasker_test.run('A', 'B', 'C');
select tasker_test.claim('D');
select tasker.cancel_task(tasker_test.the_task(), 'out of stock', 'ann');
select matches(pg_temp.why('A'), 'Its task is being undone, and will be cancelled\.$', 'a step in progress says that its task is being undone');
select tasker_test.finish('D');
select tasker_test.undo();
select matches(pg_temp.why('D'), 'Step "undo D" undoes it: enqueued\. Its task is being undone, and will be cancelled\.$', 'a step says that its compensation is enqueued');
select matches(pg_temp.why('undo D'), 'It undoes step "D"\.$', 'a compensation names the step that it undoes');
select matches(pg_temp.why('B'), 'It is undone when all that depends on it is\. Its task is being undone', 'a step whose turn comes later says what it waits for');
select doesnt_match(pg_temp.why('C'), 'undoes', 'a step without a compensation does not mention undoing');
select results_eq(
  $$ select s.name, s.undo_no from tasker.list_steps(tasker_test.the_task()) as s where s.undo_no is not null $$,
  $$ values ('undo D', 4) $$, 'list_steps returns the number of the undone step'
);
select results_eq(
  $$ select h.description from tasker.get_task_history(tasker_test.the_task()) as h where h.step_name = 'undo D' $$,
  array['step "undo D" became ready by ann: undoes step "D"'], 'the history names the compensation and its actor'
);
select tasker_test.run('undo D');
select tasker_test.undo();
select tasker_test.claim('undo B');
select tasker_test.fail_for_good('undo B');
select tasker_test.undo();
select matches(pg_temp.why('undo B'), 'It undoes step "B"\. Nothing more is undone until retry_step', 'a compensation that has failed for good names retry_step');
select tasker.give_up_task(tasker_test.the_task());
select tasker_test.undo();
select matches(pg_temp.why('B'), 'Step "undo B" undoes it: error\.$', 'a step says that its compensation failed after the task was given up');
select matches(pg_temp.why('A'), 'It was not undone: its task was given up or resolved before\.$', 'a step says that it was not undone before the task was given up');
select matches(pg_temp.why('D'), 'Step "undo D" undoes it: complete\.$', 'a step says that its compensation is complete');

select * from finish();
rollback;
