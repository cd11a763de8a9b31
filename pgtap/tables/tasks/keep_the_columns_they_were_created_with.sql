-- This also holds for a task that has ended, since an auditor reads these columns.
begin;
select plan(4);

select tasker_test.make_task_in('complete');
select throws_ok(
  format('update tasker.tasks set %s = %s where task_uuid = tasker_test.the_task()', c.name, c.value),
  'TK403', 'rows of tasker.tasks never change the columns that they were created with', c.name || ' cannot be changed'
)
  from (values ('context', '''{}'''), ('initiator', '''eve'''), ('headers', '''{}'''), ('correlation_id', 'gen_random_uuid()')) as c (name, value);

select * from finish();
rollback;
