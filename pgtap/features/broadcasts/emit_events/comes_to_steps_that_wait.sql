begin;
select plan(5);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[{"name": "pay", "await": {"event": "paid", "key": "17"}}, {"name": "ship", "await": {"event": "shipped"}}]');
select tasker_test.fire_notes();
select from tasker.emit_events('test', '{paid,paid,shipped}', '{17,17,null}', '{1,2,3}');
select is((select count(*) from tasker.workflow_steps as s where s.state = 'complete'), 0::bigint, 'the call moves no step');
select is(tasker_test.fire_notes(), 3, 'another transaction delivers the events');
select results_eq(
  $$ select s.name, s.results -> 'payload' from tasker.workflow_steps as s where s.state = 'complete' order by s.name $$,
  $$ values ('pay', '1'::jsonb), ('ship', '3') $$, 'each step takes the first of its events'
);
select is((select count(*) from tasker.broadcasts as b where b.delivered_at is null), 0::bigint, 'all are delivered');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
