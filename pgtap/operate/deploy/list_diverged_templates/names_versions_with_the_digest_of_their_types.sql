begin;
select plan(6);

select tasker_test.freeze();
select is_empty('select from tasker.list_diverged_templates()', 'no step has diverged');
select results_eq(
  $$ select d.status, d.message from tasker.check_installation() as d where d.name = 'types' $$,
  $$ values ('ok', 'no step waits for a program that fits what it has kept') $$, 'and the doctor says so'
);
select tasker_test.begin_function();
select tasker_test.keep(1, 'charge', '{"id": 7}');
select tasker.register_task_template(
  (select k.configuration || '{"types": {"work": "{id:int}"}}' from tasker.named_tasks as k where k.name = 'function')
);
select tasker.diverge_step(tasker_test.the_step('work'), tasker_test.claim_no('work'), 1, 'pay');
select results_eq(
  'select d.namespace, d.name, d.types_digest, d.steps, d.step_uuid from tasker.list_diverged_templates() as d',
  $$ values ('test', 'function', tasker.types_digest('{"work": "{id:int}"}'), 1::bigint, tasker_test.the_step('work')) $$,
  'a version whose step waits for a program that fits, with the digest of its types'
);
select is_empty($$ select from tasker.list_diverged_templates('{}') $$, 'of no namespace there is none');
select matches(
  (select d.message from tasker.check_installation() as d where d.name = 'types'),
  '^1 steps wait for a program that fits what they have kept: test/function@0.1.0 \(types [0-9a-f]{12}\)$', 'the doctor names it'
);
select tasker.register_namespace('other');
create role tasker_test_diverged in role tasker_reader;
select tasker.bind_role('tasker_test_diverged', '{other}');
select is(
  tasker_test.call_as('tasker_test_diverged', 'select count(*) from tasker.list_diverged_templates()'),
  '0', 'a role that is bound to other namespaces sees none'
);

select * from finish();
rollback;
