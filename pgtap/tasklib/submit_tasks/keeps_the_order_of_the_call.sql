begin;
select plan(5);

select tasker_test.register_echo();

create temporary table submitted as
  select s.* from tasklib.submit_tasks('echo', array(select jsonb_build_object('n', n) from generate_series(1, 1000) as n)) as s;
select is((select count(*) from submitted where created), 1000::bigint, 'each element creates a task');
select is_empty(
  $$ select from submitted as s left join tasklib.tasks as t on t.id = s.id where (t.kwargs ->> 'n')::integer is distinct from s.position $$,
  'each position has the id of its own task'
);
select is(
  (select array_agg(s.position order by s.id) from submitted as s),
  (select array_agg(n) from generate_series(1, 1000) as n),
  'the ids are in the order of the positions'
);
select ok((select bool_and(substr(id::text, 15, 1) = '7' and substr(id::text, 20, 1) in ('8', '9', 'a', 'b')) from submitted),
  'the ids are UUIDs of version 7');
select ok(
  (select s.id from submitted as s order by s.id desc limit 1) < (select s.id from tasklib.submit_task('echo') as s), 'the id of a later call is greater'
);

select * from finish();
rollback;
