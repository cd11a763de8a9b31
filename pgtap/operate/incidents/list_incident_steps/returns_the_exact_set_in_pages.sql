begin;
select plan(6);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.register('order', 'charge');
select tasker_test.launch('order') from generate_series(1, 5);
create temporary table claimed as select c.step_uuid, c.claim_no, row_number() over () as no from tasker_test.claim() as c;
select count(*) from tasker.fail_steps(
  array(select c.step_uuid from claimed as c), array(select c.claim_no from claimed as c), array_fill('it broke'::text, array[5]), array_fill(true, array[5])
);
select tasker_test.judge();
select i.incident from tasker.list_incidents() as i where i.kind = 'failing' \gset
select set_eq(format('select s.step_uuid from tasker.list_incident_steps(%L) as s', :'incident'), 'select c.step_uuid from claimed as c', 'every step that stands for the cause is listed');
select s.step_uuid as second from tasker.list_incident_steps(:'incident', p_limit => 2) as s offset 1 \gset
select is((select count(*) from tasker.list_incident_steps(:'incident', :'second')), 3::bigint, 'the next page begins after the step named');
select tasker.retry_step(:'second');
select is((select count(*) from tasker.list_incident_steps(:'incident')), 4::bigint, 'a step that was retried a moment ago is left out');
select throws_ok($$ select tasker.list_incident_steps('failing:7') $$, 'TK404', 'no cause of failures is called "failing:7"', 'an unknown cause is refused');
select throws_ok($$ select tasker.list_incident_steps('failing:9999999999999999999') $$, 'TK404', 'no cause of failures is called "failing:9999999999999999999"', 'a number beyond a bigint is refused');
select throws_ok($$ select tasker.list_incident_steps('dead_letters:test') $$, 'TK404', 'no cause of failures is called "dead_letters:test"', 'an incident of another kind has no steps');

select * from finish();
rollback;
