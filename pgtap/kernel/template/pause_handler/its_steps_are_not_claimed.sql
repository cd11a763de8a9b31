begin;
select plan(19);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.register('one', 'charge');
select tasker_test.launch('one');
select tasker.register_worker(tasker_test.worker(), 'w', p_namespaces => '{test}', p_handlers => '{charge,mail}');

select is(tasker.pause_handler('test', 'charge', tasker.clock() + interval '1 hour', 'ann', 'the bank is closed'), true, 'the handler is paused');
select is(tasker.pause_handler('test', 'charge', tasker.clock() + interval '1 hour', 'ann', 'the bank is closed'), false, 'the same again changes nothing');
select is_empty($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 10, p_handlers => '{charge}') $$, 'a claim for the handler gets nothing');
select is_empty(
  format($$ select from tasker.claim_step(%L, tasker_test.worker()) $$, tasker_test.the_step('charge')), 'nor does a claim of the step itself'
);
select results_eq(
  format($$ select c.answer::text from tasker.claim_delivered_steps(array[%L::uuid], tasker_test.worker()) as c $$, tasker_test.the_step('charge')),
  $$ values ('paused') $$, 'a message is given back'
);
select results_eq($$ select x.summary from tasker.explain_step(tasker_test.the_step('charge')) as x $$,
  $$ values ('It is in the queue, but ann has paused handler "charge" of namespace "test", until 2026-11-21 11:00:00Z: the bank is closed.') $$,
  'the explanation says who paused the handler, until when and why');
select results_eq($$ select p.handler, p.paused_by, p.reason from tasker.list_handler_pauses() as p $$, $$ values ('charge', 'ann', 'the bank is closed') $$, 'the list has it');
select tasker_test.pass('20 minutes');
select tasker_test.judge();
select is_empty($$ select i.what from tasker.list_incidents() as i where i.kind in ('paused', 'queue', 'unserved') $$, 'a pause with an end to come is no incident, nor are its steps');
select tasker_test.pass('41 minutes');
select tasker_test.judge();
select results_eq(
  $$ select i.incident, i.severity, i.what from tasker.list_incidents() as i where i.kind = 'paused' $$,
  $$ values ('paused:test/charge', 'look_today', 'Handler charge of test is paused past its end, by ann') $$, 'a pause past its end is an incident'
);
select is_empty($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 10) $$, 'it holds on: a claim for all handlers gets nothing');
select is(tasker.resume_handler('test', 'charge', 'ann', 'the bank is open'), true, 'the handler is resumed');
select is(tasker.resume_handler('test', 'charge', 'ann', 'the bank is open'), false, 'the same again changes nothing');
select results_eq($$ select c.name from tasker.claim_steps('{test}', tasker_test.worker(), 10) as c $$, $$ values ('charge') $$, 'its step is claimed');
select results_eq(
  $$ select a.action, a.actor, a.reason, a.namespaces from tasker.list_administration() as a where a.kind = 'handler_pauses' order by a.action $$,
  $$ values ('delete', 'ann', 'the bank is open', '{test}'::text[]), ('insert', 'ann', 'the bank is closed', '{test}'::text[]) $$,
  'the log of administration has both'
);
select throws_ok($$ select tasker.pause_handler('test', 'chrge') $$, 'TK404', 'no template has a handler "chrge"', 'an unknown handler is refused');
select throws_ok($$ select tasker.pause_handler('nowhere', 'charge') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace is refused');
select throws_ok(
  $$ select tasker.pause_handler('test', 'charge', '2026-11-21 10:00:00Z') $$, 'TK422', 'the pause would end at 2026-11-21 10:00:00+00, which has passed',
  'an end that has passed is refused'
);
select throws_ok($$ select tasker.pause_handler(null, null) $$, 'TK404', 'namespace null does not exist', 'null is refused');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
