-- Old history goes as whole partitions, by retention, and in no other way.
begin;
select plan(3);

select tasker_test.make_task_in('complete');
select tasker_test.remember_rows();

select throws_ok(
  'truncate tasker.task_transition_log',
  'TK403', 'rows of tasker.task_transition_log are never changed or deleted',
  'all at once do not go'
);
select throws_ok(
  format('truncate %s', tasker_test.the_partition('task_transition_log')),
  'TK403', 'rows of tasker.task_transition_log are never changed or deleted',
  'nor do those of a partition'
);
select is_empty('select tasker_test.changed_tables()', 'the history is still there');

select * from finish();
rollback;
