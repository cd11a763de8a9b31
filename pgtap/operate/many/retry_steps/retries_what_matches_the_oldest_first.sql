begin;
select plan(17);

select tasker_test.freeze();
select tasker_test.fail_orders(3);
select tasker_test.register_as('mail', '{}', 'send');
select tasker_test.launch('mail');
select tasker.fail_steps(array_agg(c.step_uuid), array_agg(c.claim_no), array_agg('no route'::text)) from tasker_test.claim(10) as c;

select is(
  (select array_agg(r.outcome || ' ' || r.step || ' ' || r.state || ' ' || r.last_error) from tasker.retry_steps(null, 'test', p_dry_run => true) as r),
  array_fill('matched charge error the bank is closed'::text, array[3]), 'a dry run finds the failed steps'
);
select is((select array_agg(distinct t.state::text) from tasker.tasks as t), '{blocked_by_failures,waiting_for_retry}', 'a dry run changes nothing');
select is_empty($$ select from tasker.list_administration('tasks') $$, 'a dry run leaves no entry in the log of administration');
select is_empty($$ select from tasker.retry_steps(null, p_step => 'send', p_dry_run => true) $$, 'p_step filters by the name of the step');
select is((select count(*) from tasker.retry_steps(null, p_error => 'BANK', p_dry_run => true)), 3::bigint, 'p_error filters by a part of the error, in any case');
select is_empty($$ select from tasker.retry_steps(null, p_error => 'b%k', p_dry_run => true) $$, 'p_error is no pattern');
select is_empty($$ select from tasker.retry_steps(null, p_name => 'mail', p_dry_run => true) $$, 'p_name filters by template');
select is_empty($$ select from tasker.retry_steps(null, p_version => '9', p_dry_run => true) $$, 'p_version filters by version');

select r.step_uuid as first from tasker.retry_steps('the bank is open', 'test', p_limit => 1, p_actor => 'ann') as r where r.outcome = 'retried' \gset
select is(:'first'::uuid, (select min(tasker.step_uuid(s.task_uuid, s.step_no)::text)::uuid from tasker.workflow_steps as s where s.name = 'charge'), 'p_limit retries at most one step, the oldest');
select is(
  (select array_agg(r.outcome) from tasker.retry_steps('the bank is open', 'test', p_after => :'first', p_actor => 'ann') as r), '{retried,retried}',
  'the next batch begins after p_after'
);
select is(
  (select array_agg(r.outcome || ' ' || r.step) from tasker.retry_steps('the route is back', 'test', p_state => 'waiting_for_retry') as r), '{"retried send"}',
  'a step that waits for its next attempt runs at once'
);
select is((select count(*) from tasker_test.claim(10)), 4::bigint, 'all of them run again');
select results_eq(
  $$ select l.actor, l.reason, count(*) from tasker.workflow_step_transition_log as l where l.actor = 'ann' group by 1, 2 $$,
  $$ values ('ann', 'the bank is open', 3::bigint) $$, 'the history of each step has the actor and the reason'
);
select results_eq(
  $$ select a.object, a.namespaces, a.call, a.becomes from tasker.list_administration('tasks') as a order by a.entry_no desc limit 1 $$,
  $$ values ('retry', '{test}'::text[], 'retry_steps', '{"namespace": "test", "state": "waiting_for_retry", "outcomes": {"retried": 1}}'::jsonb) $$,
  'the log of administration has one entry for each call'
);
select throws_ok(
  $$ select from tasker.retry_steps('x', 'test', p_state => 'complete') $$, 'TK422', 'steps that are "complete" cannot be retried', 'another state is refused'
);
select throws_ok(
  $$ select from tasker.retry_steps('x') $$, 'TK422', 'steps of a selection, or steps that match filters: neither is given', 'a filter is required'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
