begin;
select plan(16);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker.register_namespace('test');
select tasker.register_task_template('{"namespace": "test", "name": "order", "version": "1", "identity_strategy": "always_unique", "steps": [
  {"name": "charge", "compensate": "refund"}, {"name": "ship"}, {"name": "nap", "await": {"for": 5}}]}');
select tasker.register_task_template('{"namespace": "test", "name": "order", "version": "2", "identity_strategy": "always_unique", "steps": [{"name": "charge"}, {"name": "pack"}]}');
select tasker.register_task_template('{"namespace": "test", "name": "mail", "version": "1", "identity_strategy": "always_unique", "steps": [{"name": "send"}]}');
select tasker.register_worker(tasker_test.worker(), 'w', p_namespaces => '{test}', p_handlers => '{charge,ship,pack,send,refund}');
select from tasker.create_task('test', 'order', '{}', p_version => '1');
select from tasker.create_task('test', 'mail', '{}');

select is(
  tasker.pause_template('test', 'order', tasker.clock() + interval '1 hour', null, 'ann', 'the bank is closed'), '{charge,pack,refund,ship}',
  'all handlers of all versions are paused, compensations too, built-in ones not'
);
select is(tasker.pause_template('test', 'order', tasker.clock() + interval '1 hour', null, 'ann', 'the bank is closed'), '{charge,pack,refund,ship}', 'the same again changes nothing');
select is((select count(*) from tasker.list_administration() as a where a.kind = 'handler_pauses'), 4::bigint, 'and is not in the log of administration again');
select results_eq(
  $$ select c.name from tasker.claim_steps('{test}', tasker_test.worker(), 10) as c $$, $$ values ('send') $$, 'steps of other templates are claimed, its own are not'
);
select results_eq(
  $$ select p.handler, p.template, p.paused_by, p.reason from tasker.list_handler_pauses('test') as p where p.handler = 'pack' $$,
  $$ values ('pack', 'order', 'ann', 'the bank is closed') $$, 'the list of pauses says for which template, who and why'
);
select is_empty(
  $$ select i.what from tasker.measure_pauses() as i $$, 'a pause with an end to come is no incident'
);
select tasker_test.pass('61 minutes');
select is((select count(*) from tasker.measure_pauses() as i where i.kind = 'paused'), 4::bigint, 'past its end it is');
select is_empty($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 10) $$, 'and holds on');
select is(tasker.resume_handler('test', 'pack'), true, 'one of its handlers can be resumed alone');
select is(tasker.pause_handler('test', 'pack', p_actor => 'ben'), true, 'and paused alone');
select is(tasker.resume_template('test', 'order', 'ann', 'the bank is open'), '{charge,refund,ship}', 'the template is resumed');
select is(tasker.resume_template('test', 'order'), '{}', 'the same again changes nothing');
select results_eq($$ select p.handler, p.paused_by from tasker.list_handler_pauses() as p $$, $$ values ('pack', 'ben') $$, 'a handler that was paused alone stays paused');
select set_eq($$ select c.name from tasker.claim_steps('{test}', tasker_test.worker(), 10) as c $$, array['charge', 'ship'], 'its steps are claimed');
select throws_ok($$ select tasker.pause_template('test', 'oder') $$, 'TK404', 'template "test/oder" does not exist', 'an unknown template is refused');
select throws_ok(
  $$ select tasker.pause_template('test', 'order', '2026-11-21 10:00:00Z') $$, 'TK422', 'the pause would end at 2026-11-21 10:00:00+00, which has passed',
  'an end that has passed is refused'
);

select * from finish();
rollback;
