begin;
select plan(10);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.register('order', 'charge');
select tasker_test.launch('order');
select from tasker_test.claim();
select tasker_test.fail('charge', p_permanent => true);
select tasker_test.judge();
select i.incident from tasker.list_incidents() as i where i.kind = 'failing' \gset

select is(tasker.acknowledge_incident(:'incident', tasker.clock() + interval '1 hour', 'the bank is told', 'ann'), true, 'an open incident is acknowledged');
select is(tasker.acknowledge_incident(:'incident', tasker.clock() + interval '1 hour', 'the bank is told', 'ann'), false, 'the same again changes nothing');
select results_eq(
  $$ select i.severity, i.acknowledged_by, i.acknowledged_reason from tasker.list_incidents() as i where i.kind = 'failing' $$,
  $$ values ('information', 'ann', 'the bank is told') $$, 'it is for information, with who acknowledged it and why'
);
select results_eq(
  $$ select a.action, a.actor, a.reason from tasker.list_administration() as a where a.kind = 'incident_acknowledgements' $$,
  $$ values ('insert', 'ann', 'the bank is told') $$, 'the log of administration has it once'
);
update tasker.incidents set severity = 3 where incident = :'incident';
select is(tasker_test.severity(), 'act_now', 'a more severe incident is shown again');
update tasker.incidents set severity = 2 where incident = :'incident';
select is(tasker_test.severity(), 'information', 'it is for information when it is as before');
select tasker_test.pass('61 minutes');
select tasker_test.judge();
select is(tasker_test.severity(), 'look_today', 'it is shown again when the time has passed');
select throws_ok(
  format('select tasker.acknowledge_incident(%L, %L)', :'incident', tasker.clock()), 'TK422',
  format('the acknowledgement would end at %s, which has passed', tasker.clock()), 'a time that has passed is refused'
);
select throws_ok($$ select tasker.acknowledge_incident('failing:7') $$, 'TK404', 'no open incident is called "failing:7"', 'an unknown incident is refused');
select throws_like($$ select tasker.acknowledge_incident(null) $$, 'the incident is null', 'null is refused');

select * from finish();
rollback;
