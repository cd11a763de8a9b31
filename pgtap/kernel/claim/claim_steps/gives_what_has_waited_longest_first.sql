begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
create temporary table tasks (position integer, task_uuid uuid);
insert into tasks select 1, tasker_test.launch('one');
select tasker_test.pass('10 seconds');
insert into tasks select 2, tasker_test.launch('one');
select tasker_test.pass('10 seconds');
insert into tasks select 3, tasker_test.launch('one');

select results_eq(
  $$ select t.position from tasker_test.claim(1) as c join tasks as t using (task_uuid) $$, $$ values (1) $$, 'the oldest step comes first'
);
select results_eq(
  $$ select t.position from tasker_test.claim(1) as c join tasks as t using (task_uuid) $$, $$ values (2) $$, 'the next oldest step follows'
);
select tasker_test.pass('10 seconds');
select tasker_test.launch('one');
select results_eq(
  $$ select t.position from tasker_test.claim(1) as c join tasks as t using (task_uuid) $$, $$ values (3) $$, 'the third step comes before a newer one'
);

select * from finish();
rollback;
