begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b', 'c', 'd', 'e');
select tasker_test.launch('wide');
create temporary table claimed as
  select 1 as worker, c.step_uuid, c.name from tasker_test.claim(2, 1) as c;
insert into claimed select 2, c.step_uuid, c.name from tasker_test.claim(2, 2) as c;
insert into claimed select 1, c.step_uuid, c.name from tasker_test.claim(2, 1) as c;
select results_eq(
  $$ select count(*), count(distinct c.step_uuid) from claimed as c $$, $$ values (5::bigint, 5::bigint) $$, 'each of five steps is claimed once'
);
select results_eq(
  $$ select c.worker, count(*) from claimed as c group by 1 order by 1 $$, $$ values (1, 3::bigint), (2, 2::bigint) $$,
  'no worker gets more steps than it asked for'
);
select is_empty('select from tasker_test.claim()', 'no step is left');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
