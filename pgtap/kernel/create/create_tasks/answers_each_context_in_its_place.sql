begin;
select plan(4);

select tasker_test.take_turn();

select tasker_test.register_diamond();
create temporary table first as select * from tasker.create_task('test', 'diamond', '{"n": 2}');
create temporary table made as
  select *
    from tasker.create_tasks('test', 'diamond', array['{"n": 1}', '{"n": 2}', '{"n": 3}', '{"n": 1}']::jsonb[]);

select results_eq(
  $$ select m.position, m.created from made as m order by m.position $$,
  $$ values (1, true), (2, false), (3, true), (4, false) $$,
  'each context is answered in its place: new, known, or repeated in the call'
);
select is((select m.task_uuid from made as m where m.position = 2), (select f.task_uuid from first as f), 'a known context finds the earlier task');
select results_eq(
  $$ select (select t.context ->> 'n' from tasker.get_task(m.task_uuid) as t) from made as m order by m.position $$,
  $$ values ('1'), ('2'), ('3'), ('1') $$, 'each task has its own context'
);
select is_empty($$ select v from made as m cross join lateral tasker_test.violations(m.task_uuid) as v $$, 'every invariant holds');

select * from finish();
rollback;
