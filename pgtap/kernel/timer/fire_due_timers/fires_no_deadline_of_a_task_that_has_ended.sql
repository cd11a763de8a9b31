begin;
select plan(3);

select tasker_test.freeze();
create temporary table made (how text, task uuid);
do $$
begin
  insert into made select 'complete', tasker_test.create_task(p_deadline => tasker.clock() + interval '1 hour');
  perform tasker_test.run('top', 'left', 'right', 'bottom');
  insert into made select 'cancelled', tasker_test.create_task(p_deadline => tasker.clock() + interval '1 hour');
  perform tasker.cancel_task(tasker_test.the_task());
  insert into made select 'resolved_manually', tasker_test.create_task(p_deadline => tasker.clock() + interval '1 hour');
  perform tasker_test.claim('top');
  perform tasker_test.fail_for_good('top');
  perform tasker.resolve_task_manually(tasker_test.the_task());
  insert into made select 'error', tasker_test.create_task(p_deadline => tasker.clock() + interval '1 hour');
  perform tasker_test.claim('top');
  perform tasker_test.fail_for_good('top');
  perform tasker.give_up_task(tasker_test.the_task());
end;
$$;

select tasker_test.pass('2 hours');
select is(tasker.fire_due_timers(), 0, 'no timer is due');
select is_empty(
  'select m.how, t.state from made as m cross join lateral tasker.get_task(m.task) as t where t.state::text is distinct from m.how',
  'each task keeps its state'
);
select is_empty('select v from made as m cross join tasker_test.violations(m.task) as v', 'every invariant holds');

select * from finish();
rollback;
