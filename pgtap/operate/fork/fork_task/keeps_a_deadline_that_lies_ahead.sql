begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.create_task(p_deadline => tasker.clock() + interval '1 hour');
select tasker_test.run('top');
create function pg_temp.fork() returns timestamptz language plpgsql as $$
declare
  v_fork uuid := tasker.fork_task(tasker_test.the_task(), 'left', p_reason => 'again');
begin
  return (select t.deadline from tasker.tasks as t where t.task_uuid = v_fork);
end;
$$;
select is(pg_temp.fork(), tasker.clock() + interval '1 hour', 'a fork has the deadline of its task');
select tasker_test.pass('2 hours');
select tasker.fire_due_timers();
select is(pg_temp.fork(), null, 'a deadline that has passed is left out');

select * from finish();
rollback;
