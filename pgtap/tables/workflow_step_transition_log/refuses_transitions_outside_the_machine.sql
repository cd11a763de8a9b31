-- The triggers of the log check each row, whichever role inserts it.
begin;
select plan(3);

select tasker_test.make_task();

prepare insert_rows (text, text, text) as
  insert into tasker.workflow_step_transition_log (task_uuid, step_no, sort_key, event, from_state, to_state)
  values (tasker_test.the_task(), 1, 1, 'Enqueue', 'pending', 'enqueued'),
         (tasker_test.the_task(), 1, 2, $2, $1::tasker.step_state, $3::tasker.step_state);

select throws_ok(
  $$ execute insert_rows ('pending', 'Start', 'in_progress') $$,
  'TK409', format('step %s cannot go from pending to in_progress by event "Start"', tasker_test.the_step('top')),
  'a pair of states without a transition is refused'
);
select throws_ok(
  $$ execute insert_rows ('enqueued', 'Enqueue', 'in_progress') $$,
  'TK409', format('step %s cannot go from enqueued to in_progress by event "Enqueue"', tasker_test.the_step('top')),
  'the event of another transition is refused'
);
select lives_ok(
  $$ execute insert_rows ('enqueued', 'Start', 'in_progress') $$,
  'a transition of the machine is accepted'
);

select * from finish();
rollback;
