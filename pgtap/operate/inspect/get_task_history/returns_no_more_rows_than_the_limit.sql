begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select results_eq(
  'select h.description from tasker.get_task_history(tasker_test.the_task(), 2) as h',
  $$ values ('task started'), ('step "top" became ready') $$, 'the limit keeps the oldest events'
);
select throws_ok(
  format('select from tasker.get_task_history(tasker_test.the_task(), %s)', u.no),
  'TK422', format('a limit of %s is out of range', u.no), format('a limit of %s is refused', u.no)
)
  from unnest('{0, -1, 100001}'::integer[]) as u (no);

select * from finish();
rollback;
