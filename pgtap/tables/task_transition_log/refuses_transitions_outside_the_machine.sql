-- The triggers of the log check each row, whichever role inserts it.
begin;
select plan(3);

select tasker_test.make_task();

prepare insert_rows (text, text, text) as
  insert into tasker.task_transition_log (task_uuid, sort_key, event, from_state, to_state)
  values (tasker_test.the_task(), 1, 'Start', 'pending', 'initializing'),
         (tasker_test.the_task(), 2, $2, $1::tasker.task_state, $3::tasker.task_state);

select throws_ok(
  $$ execute insert_rows ('pending', 'Start', 'complete') $$,
  'TK409', format('task %s cannot go from pending to complete by event "Start"', tasker_test.the_task()),
  'a pair of states without a transition is refused'
);
select throws_ok(
  $$ execute insert_rows ('initializing', 'Start', 'enqueuing_steps') $$,
  'TK409', format('task %s cannot go from initializing to enqueuing_steps by event "Start"', tasker_test.the_task()),
  'the event of another transition is refused'
);
select lives_ok(
  $$ execute insert_rows ('initializing', 'ReadyStepsFound', 'enqueuing_steps') $$,
  'a transition of the machine is accepted'
);

select * from finish();
rollback;
