begin;
select plan(3);

select tasker_test.register_echo();
select tasklib.pause_task('echo'), tasklib.resume_task('echo'), tasklib.pause_task('echo');
select results_eq('select a.action from tasklib.list_task_actions(p_limit => 2) as a', array['pause', 'resume'], 'the actions are listed newest first');
select results_eq(
  'select a.action from tasklib.list_task_actions(p_before => (select max(action_no) from tasklib.task_actions), p_limit => 1) as a',
  array['resume'], 'p_before starts the next page'
);
select throws_ok('select tasklib.list_task_actions(p_limit => 0)', 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'a limit of 0 is refused');

select * from finish();
rollback;
