begin;
select plan(3);

select throws_ok(
  $$ update tasker.tasks_dlq set task_snapshot = '{}' $$,
  'TK403', 'rows of tasker.tasks_dlq never change the columns that they were created with', 'a snapshot cannot be changed'
);
select throws_ok('delete from tasker.tasks_dlq', 'TK403', 'rows of tasker.tasks_dlq are never deleted', 'an entry cannot be deleted');
set local session_replication_role = replica;
select throws_ok('delete from tasker.tasks_dlq', 'TK403', 'rows of tasker.tasks_dlq are never deleted', 'an entry cannot be deleted in replica mode');

select * from finish();
rollback;
