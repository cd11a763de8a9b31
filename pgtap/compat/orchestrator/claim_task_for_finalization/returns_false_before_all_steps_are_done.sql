begin;
select plan(13);

select tasker_test.freeze();
create temporary table cases as
  select s.state::text as state, tasker_test.make_task_in(s.state::text) as task
    from tasker.task_states as s;

select tasker_test.remember_rows();
select is(
  tasker.claim_task_for_finalization(c.task, '00000000-0000-0000-0000-00000000000a'), false, format('a task that is %s cannot be claimed', c.state)
)
  from cases as c
 order by c.state;
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
