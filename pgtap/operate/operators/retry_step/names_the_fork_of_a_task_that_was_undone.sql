begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.create_undoable('order', '{A!,"F A"}');
select tasker_test.run('A');
select tasker_test.claim('F');
select tasker_test.fail_for_good('F');
select tasker.give_up_task(tasker_test.the_task());
select tasker_test.undo();
select tasker_test.run('undo A');
select tasker_test.undo();
select is(tasker_test.states(), 'error: A=complete F=error undo A=complete', 'the task was undone and has failed');

create function pg_temp.hint() returns text language plpgsql as $$
declare
  v_hint text;
begin
  perform tasker.retry_step(tasker_test.the_step('F'));
  return null;
exception when others then
  get stacked diagnostics v_hint = pg_exception_hint;
  return v_hint;
end;
$$;
select is(pg_temp.hint(), 'The task was undone: repeat it with tasker.fork_task(task, step).', 'the hint is the way out, not a reset that is refused');

select * from finish();
rollback;
