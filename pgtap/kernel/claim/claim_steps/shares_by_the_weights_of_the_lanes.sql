begin;
select plan(5);

select tasker_test.freeze();
select setseed(0.42);
select tasker.register_task_template('{"namespace": "test", "name": "fast", "steps": [{"name": "a", "priority": 9}]}');
select tasker.register_task_template('{"namespace": "test", "name": "plain", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "test", "name": "slow", "steps": [{"name": "a", "priority": -1}]}');
select count(*)
  from unnest('{fast,plain,slow}'::text[]) as u (name)
 cross join lateral tasker.create_tasks('test', u.name, array(select jsonb_build_object('n', n) from generate_series(1, 400) as n));

create temporary table claimed as
  select c.priority from tasker_test.claim(130) as c;
select results_eq(
  $$ select c.priority, count(*) from claimed as c group by 1 order by 1 $$, $$ values (-1, 10::bigint), (0, 40::bigint), (9, 80::bigint) $$,
  'a large claim gives the lanes 8, 4 and 1 parts'
);

truncate claimed;
insert into claimed select c.priority from generate_series(1, 260) as n cross join lateral (select c.priority from tasker_test.claim(1 + 0 * n) as c) as c;
select is((select count(*) from claimed), 260::bigint, 'claims of one step get all steps');
-- Five standard deviations on either side.
select ok((select count(*) between 121 and 199 from claimed as c where c.priority = 9), 'the high lane gets about 160 steps');
select ok((select count(*) between 42 and 118 from claimed as c where c.priority = 0), 'the normal lane gets about 80 steps');
select ok((select count(*) between 1 and 42 from claimed as c where c.priority = -1), 'the low lane gets about 20 steps');

select * from finish();
rollback;
