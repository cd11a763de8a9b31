begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select results_eq(
  'select h.description from tasker.get_task_history(tasker_test.the_task(), 2) as h',
  $$ values ('task started'), ('step "top" became ready') $$, 'the limit keeps the oldest events'
);
select throws_ok(
  format('select from tasker.get_task_history(tasker_test.the_task(), %s)', coalesce(u.no::text, 'null')),
  'TK422', format('a limit of %s is out of range', coalesce(u.no::text, 'null')), format('a limit of %s is refused', coalesce(u.no::text, 'null'))
)
  from unnest('{null, 0, -1, 100001}'::integer[]) as u (no);

select * from finish();
rollback;
