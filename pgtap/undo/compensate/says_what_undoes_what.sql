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
select matches(pg_temp.why('A'), 'Its task is being undone, and will be cancelled\.$', 'while steps in progress end');
select tasker_test.finish('D');
select tasker_test.undo();
select matches(pg_temp.why('D'), 'Step "undo D" undoes it: enqueued\. Its task is being undone, and will be cancelled\.$', 'a step that is undone now');
select matches(pg_temp.why('undo D'), 'It undoes step "D"\.$', 'and what undoes it');
select matches(pg_temp.why('B'), 'It is undone when all that depends on it is\. Its task is being undone', 'a step whose turn comes later');
select doesnt_match(pg_temp.why('C'), 'undoes', 'a step without a compensation');
select results_eq(
  $$ select s.name, s.undo_no from tasker.list_steps(tasker_test.the_task()) as s where s.undo_no is not null $$,
  $$ values ('undo D', 4) $$, 'list_steps has the number of the step'
);
select results_eq(
  $$ select h.description from tasker.get_task_history(tasker_test.the_task()) as h where h.step_name = 'undo D' $$,
  array['step "undo D" became ready by ann: undoes step "D"'], 'the history says it, and who asked'
);
select tasker_test.run('undo D');
select tasker_test.undo();
select tasker_test.claim('undo B');
select tasker_test.fail_for_good('undo B');
select tasker_test.undo();
select matches(pg_temp.why('undo B'), 'It undoes step "B"\. Nothing more is undone until retry_step', 'one that has failed for good');
select tasker.give_up_task(tasker_test.the_task());
select tasker_test.undo();
select matches(pg_temp.why('B'), 'Step "undo B" undoes it: error\.$', 'after the task was given up');
select matches(pg_temp.why('A'), 'It was not undone: its task was given up or resolved before\.$', 'a step that was not undone');
select matches(pg_temp.why('D'), 'Step "undo D" undoes it: complete\.$', 'and one that was');

select * from finish();
rollback;
