-- This holds for the owner, for a superuser, in a partition and in replica mode.
begin;
select plan(11);

select tasker_test.make_task_in('complete');
select tasker_test.remember_rows();

select throws_ok(
  'update tasker.task_log set reason = null',
  'TK403', 'rows of tasker.task_log are never changed or deleted',
  'a superuser cannot change a row'
);
select throws_ok(
  'delete from tasker.task_log',
  'TK403', 'rows of tasker.task_log are never changed or deleted',
  'a superuser cannot delete a row'
);
select throws_ok(
  $$ select tasker_test.call_as('tasker_owner', 'update tasker.task_log set reason = null returning 1') $$,
  'TK403', 'rows of tasker.task_log are never changed or deleted',
  'the owner cannot change a row'
);
select throws_ok(
  $$ select tasker_test.call_as('tasker_owner', 'delete from tasker.task_log returning 1') $$,
  'TK403', 'rows of tasker.task_log are never changed or deleted',
  'the owner cannot delete a row'
);
select throws_ok(
  format('update %s set reason = null', tasker_test.the_partition('task_log')),
  'TK403', 'rows of tasker.task_log are never changed or deleted',
  'a row of a partition cannot be changed'
);
select throws_ok(
  format('delete from %s', tasker_test.the_partition('task_log')),
  'TK403', 'rows of tasker.task_log are never changed or deleted',
  'a row of a partition cannot be deleted'
);
set local session_replication_role = replica;
select throws_ok(
  'update tasker.task_log set reason = null',
  'TK403', 'rows of tasker.task_log are never changed or deleted',
  'a row cannot be changed in replica mode'
);
select throws_ok(
  'delete from tasker.task_log',
  'TK403', 'rows of tasker.task_log are never changed or deleted',
  'a row cannot be deleted in replica mode'
);
select throws_ok(
  format('update %s set reason = null', tasker_test.the_partition('task_log')),
  'TK403', 'rows of tasker.task_log are never changed or deleted',
  'a row of a partition cannot be changed in replica mode'
);
select throws_ok(
  format('truncate %s', tasker_test.the_partition('task_log')),
  'TK403', 'rows of tasker.task_log are never changed or deleted',
  'a partition cannot be truncated in replica mode'
);
set local session_replication_role = origin;
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
