begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.register_diamond();
create role tap_submitter login in role tasker_submitter;
create role tap_honest login in role tasker_worker;
create role tap_mallory login in role tasker_worker;
create role tap_operator login in role tasker_operator;

set session authorization tap_submitter;
select t.task_uuid from tasker.create_task('test', 'diamond', p_initiator => 'ann') as t \gset
reset session authorization;
select set_config('tasker_test.task', :'task_uuid', true);
select tasker.step_uuid(:'task_uuid', 1) as top, tasker.step_uuid(:'task_uuid', 2) as a, tasker.step_uuid(:'task_uuid', 3) as b \gset

set session authorization tap_honest;
select c.claim_no from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000f1') as c \gset
select is((select r.answer::text from tasker.complete_steps(array[:'top'::uuid], array[:claim_no]) as r), 'completed', 'the role that claimed the step completes it');
select count(*) from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000f1', 2);
set session authorization tap_mallory;
set local role tasker_worker;
select is((select r.answer::text from tasker.complete_steps(array[:'a'::uuid], array[1]) as r), 'completed', 'another role that knows the claim number completes a step');
reset role;
set session authorization tap_operator;
select ok(tasker.complete_step_manually(:'b', '{}', 'by phone', 'eve'), 'an operator completes a step by hand');
reset session authorization;

select results_eq(
  $$ select a.step_name, a.worker_uuid is not null, a.actor, a.login, a.role from tasker.get_task_audit_history(tasker_test.the_task()) as a order by a.step_no $$,
  $$
  values
    ('top',   true,  null,  'tap_honest',   null),
    ('left',  true,  null,  'tap_mallory',  'tasker_worker'),
    ('right', false, 'eve', 'tap_operator', null)
  $$, 'the audit names the login role, whatever actor or role the call had'
);
select results_eq(
  $$ select h.event, h.login, h.role from tasker.get_step_history(tasker_test.the_step('left')) as h $$,
  $$
  values
    ('Enqueue',                 'tap_honest',  null),
    ('Start',                   'tap_honest',  null),
    ('EnqueueForOrchestration', 'tap_mallory', 'tasker_worker'),
    ('Complete',                'tap_mallory', 'tasker_worker')
  $$, 'the history of a step names the login role'
);
select results_eq(
  $$ select h.event, h.login from tasker.get_task_history(tasker_test.the_task()) as h where h.step_no is null order by 1, 2 limit 3 $$,
  $$ values ('ReadyStepsFound', 'tap_honest'), ('ReadyStepsFound', 'tap_operator'), ('ReadyStepsFound', 'tap_submitter') $$, 'the history of a task names the login role'
);
select results_eq(
  $$ select v.event, v.actor, v.login from tasker.task_transitions as v where v.task_uuid = tasker_test.the_task() and v.sort_key <= 1 order by v.sort_key $$,
  $$ values ('Create', 'ann', 'tap_submitter'), ('Start', null, 'tap_submitter') $$, 'the view names the login role, also for the creation'
);
select is(
  (
    select string_agg(concat_ws(' ', l.event, l.login), ', ' order by l.sort_key)
      from tasker.workflow_step_transition_log as l
     where l.task_uuid = tasker_test.the_task()
       and l.step_no = 1
  ),
  'Enqueue, Start tap_honest, EnqueueForOrchestration, Complete', 'the log stores the login role only where it changes'
);
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
