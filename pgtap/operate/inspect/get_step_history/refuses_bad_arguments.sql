begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task();
select throws_ok('select from tasker.get_step_history(null)', 'TK404', 'step null does not exist', 'a null step is refused');
select throws_like(
  'select from tasker.get_step_history(tasker.step_uuid(tasker_test.the_task(), 99))', 'step % does not exist', 'an unknown step is refused'
);
select throws_ok(
  format($$ select from tasker.get_step_history(tasker_test.the_step('top'), %s) $$, u.no),
  'TK422', format('a limit of %s is out of range', u.no), format('a limit of %s is refused', u.no)
)
  from unnest('{0, -1, 100001}'::integer[]) as u (no);

select * from finish();
rollback;
