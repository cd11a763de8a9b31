-- Not by the owner, not by a superuser, not through a partition, not as a replica.
begin;
select plan(11);

select tasker_test.make_task_in('complete');
select tasker_test.remember_rows();

select throws_ok(
  'update tasker.workflow_step_transition_log set reason = null',
  'TK403', 'rows of tasker.workflow_step_transition_log are never changed or deleted',
  'a superuser cannot change a row'
);
select throws_ok(
  'delete from tasker.workflow_step_transition_log',
  'TK403', 'rows of tasker.workflow_step_transition_log are never changed or deleted',
  'or delete one'
);
select throws_ok(
  $$
  select tasker_test.call_as('tasker_owner', 'update tasker.workflow_step_transition_log set reason = null returning 1')
  $$,
  'TK403', 'rows of tasker.workflow_step_transition_log are never changed or deleted',
  'the owner cannot change a row'
);
select throws_ok(
  $$ select tasker_test.call_as('tasker_owner', 'delete from tasker.workflow_step_transition_log returning 1') $$,
  'TK403', 'rows of tasker.workflow_step_transition_log are never changed or deleted',
  'or delete one'
);
select throws_ok(
  format('update %s set reason = null', tasker_test.the_partition('workflow_step_transition_log')),
  'TK403', 'rows of tasker.workflow_step_transition_log are never changed or deleted',
  'a partition is no way round: not to change'
);
select throws_ok(
  format('delete from %s', tasker_test.the_partition('workflow_step_transition_log')),
  'TK403', 'rows of tasker.workflow_step_transition_log are never changed or deleted',
  'nor to delete'
);
set local session_replication_role = replica;
select throws_ok(
  'update tasker.workflow_step_transition_log set reason = null',
  'TK403', 'rows of tasker.workflow_step_transition_log are never changed or deleted',
  'a replica cannot change a row'
);
select throws_ok(
  'delete from tasker.workflow_step_transition_log',
  'TK403', 'rows of tasker.workflow_step_transition_log are never changed or deleted',
  'or delete one'
);
select throws_ok(
  format('update %s set reason = null', tasker_test.the_partition('workflow_step_transition_log')),
  'TK403', 'rows of tasker.workflow_step_transition_log are never changed or deleted',
  'not in a partition either'
);
select throws_ok(
  format('truncate %s', tasker_test.the_partition('workflow_step_transition_log')),
  'TK403', 'rows of tasker.workflow_step_transition_log are never changed or deleted',
  'and empties none'
);
set local session_replication_role = origin;
select is_empty('select tasker_test.changed_tables()', 'the history is still there');

select * from finish();
rollback;
