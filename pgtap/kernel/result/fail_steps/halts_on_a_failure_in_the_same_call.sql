begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "halting", "on_failure": "halt", "steps": [
  {"name": "good"}, {"name": "bad"}, {"name": "later", "dependencies": ["good"]}
]}');
select tasker_test.launch('halting') as halted \gset
create temporary table claimed as select c.* from tasker_test.claim() as c;
select tasker_test.launch('halting') as sound \gset
insert into claimed select c.* from tasker_test.claim() as c;
select results_eq(
  $$ select a.answer::text
       from (select array_agg(c.step_uuid order by c.task_uuid = tasker_test.the_task(), c.step_no) as s, array_agg(c.claim_no) as n from claimed as c) as x
      cross join lateral tasker.exchange_steps(tasker_test.worker(), x.s, x.n, null, '{null,no,null,null}', '{false,true,false,false}') as a $$,
  $$ values ('completed'), ('failed'), ('completed'), ('completed') $$, 'one task''s step fails, and the other steps complete'
);
select is(tasker_test.the_steps(), 'good complete, bad complete, later enqueued', 'the task without a failure continues');
select set_config('tasker_test.task', :'halted', true);
select is(tasker_test.the_steps(), 'good complete, bad error, later pending', 'the task with the failure halts, although its good step came first');
select is_empty(format('select tasker_test.violations(%L) union select tasker_test.violations(%L)', :'halted', :'sound'), 'every invariant holds');

select * from finish();
rollback;
