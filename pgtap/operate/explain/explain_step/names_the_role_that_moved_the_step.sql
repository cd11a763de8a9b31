begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b');
select tasker_test.launch('pair');
prepare movers as
  select s.name, e.login, e.role
    from tasker.workflow_steps as s
   cross join lateral tasker.explain_step(s.workflow_step_uuid) as e
   where s.task_uuid = tasker_test.the_task()
   order by s.step_no;
select from tasker_test.claim(2);
select results_eq('movers', format($$ values ('a', %1$L, null), ('b', %1$L, null) $$, session_user), 'the login of the claim is shown');
select tasker_test.call_as('tasker_worker', format(
  $$ select tasker.complete_steps(array[%L]::uuid[], array[%s]) $$, tasker_test.the_step('a'),
  (select s.claim_no from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('a'))
));
select results_eq(
  'movers', format($$ values ('a', %1$L, 'tasker_worker'), ('b', %1$L, null) $$, session_user), 'the role that completed the step is shown'
);
select tasker_test.call_as('tasker_operator', format($$ select tasker.cancel_task(%L, 'no', 'eve') $$, tasker_test.the_task()));
select results_eq(
  'movers', format($$ values ('a', %1$L, 'tasker_worker'), ('b', %1$L, 'tasker_operator') $$, session_user), 'the role that cancelled the step is shown'
);
deallocate movers;
select tasker_test.launch('pair');
select is(
  (select e.login from tasker.explain_step(tasker_test.the_step('a')) as e), session_user::text, 'the login of the creation is shown for an enqueued root'
);
select tasker_test.register('chain', 'a', 'b a');
select tasker_test.launch('chain');
select is((select e.login is null from tasker.explain_step(tasker_test.the_step('b')) as e), true, 'no login is shown before the step has moved');

select * from finish();
rollback;
