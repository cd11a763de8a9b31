begin;
select plan(8);

select tasker_test.freeze();
select tasker.register_worker(tasker_test.worker(1), 'one');
select tasker_test.create_task();
select is_empty($$ select from tasker.list_running_steps() $$, 'a ready step is not listed');
select tasker_test.claim(1);
select tasker_test.pass('10 s');
select tasker_test.finish('top');
select tasker_test.claim(1, 1);
select tasker_test.pass('10 s');
select tasker_test.claim(1, 2);

select results_eq(
  $$ select r.step_name, r.handler, r.namespace, r.task_name, r.attempts, tasker.clock() - r.started_at, r.worker_uuid, r.worker_name,
            r.lease_until > tasker.clock(), r.task_uuid = tasker_test.the_task()
       from tasker.list_running_steps() as r $$,
  $$ values ('left', 'left', 'test', 'diamond', 1, interval '10 s', tasker_test.worker(1), 'one', true, true),
            ('right', 'right', 'test', 'diamond', 1, interval '0 s', tasker_test.worker(2), tasker_test.worker(2)::text, true, true) $$,
  'it lists the step that has run longest first, with its worker'
);
select results_eq($$ select r.step_name from tasker.list_running_steps(p_limit => 1) as r $$, $$ values ('left') $$, 'the limit keeps the step that has run longest');
select results_eq(
  $$ select r.step_name from tasker.list_running_steps('test') as r $$, $$ values ('left'), ('right') $$, 'it lists the steps of a namespace'
);
select is_empty($$ select from tasker.list_running_steps('other') $$, 'it lists no step of another namespace');
select throws_ok($$ select tasker.list_running_steps(p_limit => 0) $$, 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'a limit of 0 is refused');

create role tap_bound in role tasker_operator;
select tasker.register_namespace('other');
select tasker.bind_role('tap_bound', '{other}');
set local role tap_bound;
select is_empty($$ select from tasker.list_running_steps() $$, 'a bound role sees no step of another namespace');
reset role;

select tasker_test.pass('1 h');
select is_empty($$ select from tasker.list_running_steps() $$, 'a step whose lease has expired is not listed');

select * from finish();
rollback;
