begin;
select plan(4);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.register('order', 'charge');
select tasker_test.launch('order') from generate_series(1, 3);
create temporary table claimed as select c.step_uuid, c.claim_no from tasker_test.claim() as c;
select c.step_uuid as step from claimed as c limit 1 \gset
select is(tasker.get_step_incident(:'step'), null, 'a step that has not failed has no incident');
select count(*) from tasker.fail_steps(
  array(select c.step_uuid from claimed as c), array(select c.claim_no from claimed as c), array_fill('it broke'::text, array[3]), array_fill(true, array[3])
);
select tasker_test.judge();
select is(tasker.get_step_incident(:'step'), (select i.incident from tasker.list_incidents() as i where i.kind = 'failing'), 'a step that failed has the incident of its cause');
select tasker.retry_step(:'step');
select tasker.complete_step_manually(:'step', '{}');
select tasker_test.judge();
select is(tasker.get_step_incident(:'step'), null, 'a step that has gone on has none');
select is(tasker.get_step_incident('01a20000-0000-7000-8000-000000000001'), null, 'an unknown step has none');

select * from finish();
rollback;
