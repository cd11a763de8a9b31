begin;
select plan(4);

select tasker_test.freeze();
create temporary table cases as
  select s.state::text as state, tasker_test.make_task_in(s.state::text) as task
    from tasker.task_states as s
   where s.terminal
     and s.state <> 'cancelled';

select tasker_test.remember_rows();
select ok(not tasker.cancel_task(c.task), format('cancel_task returns false for a task that is %s', c.state))
  from cases as c
 order by c.state;
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
