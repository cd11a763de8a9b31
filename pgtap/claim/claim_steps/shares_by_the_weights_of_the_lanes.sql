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
  '8 : 4 : 1 in one claim of many'
);

truncate claimed;
insert into claimed select c.priority from generate_series(1, 260) as n cross join lateral (select c.priority from tasker_test.claim(1 + 0 * n) as c) as c;
select is((select count(*) from claimed), 260::bigint, 'one by one');
-- Five standard deviations on either side.
select ok((select count(*) between 121 and 199 from claimed as c where c.priority = 9), 'the fast lane gets about 160');
select ok((select count(*) between 42 and 118 from claimed as c where c.priority = 0), 'the plain one about 80');
select ok((select count(*) between 1 and 42 from claimed as c where c.priority = -1), 'and the slow one about 20: it does not starve');

select * from finish();
rollback;
