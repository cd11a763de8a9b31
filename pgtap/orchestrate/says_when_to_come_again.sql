begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.create_task(p_start_at => tasker.clock() + interval '3 hours');

select is(
  (select o.next_due_at from tasker.orchestrate() as o), tasker.clock() + interval '3 hours', 'for a timer'
);
select tasker_test.pass('3 hours');
select is((select o.next_due_at from tasker.orchestrate() as o), tasker.clock(), 'now, for a step that is ready');

select * from finish();
rollback;
