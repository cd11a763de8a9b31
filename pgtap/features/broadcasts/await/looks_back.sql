-- An event that came before its wait counts as far back as the wait looks; each side by the same rule.
begin;
select plan(9);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker.register_namespace('test');
select tasker_test.emit('paid', '{"n": 1}', '17');
select tasker_test.emit('paid', '{"n": 2}', '17');
select tasker_test.emit('paid', '{"n": 3}', '18');
select tasker_test.fire_notes();
select tasker_test.pass('50 seconds');
select tasker_test.create_waiting('order', '[{"name": "pay", "await": {"event": "paid", "key": "$.order"}}]', '{}', '{"order": 17}');
select is(tasker.fire_due_timers(), 0, 'the transaction that begins to wait does not look back');
select is(tasker_test.fire_notes(), 1, 'a later transaction looks back');
select is(tasker_test.states(), 'complete: pay=complete', 'a wait looks back a minute by default');
select is((select s.results #>> '{payload,n}' from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task()), '1', 'a wait takes the oldest event that matches');
select tasker_test.pass('50 seconds');
select tasker_test.create_waiting('order', '[{"name": "pay", "await": {"event": "paid", "key": "$.order"}}]', '{}', '{"order": 17}');
select tasker_test.fire_notes();
select is(tasker_test.states(), 'waiting_for_dependencies: pay=suspended', 'an event older than look_back is not taken');
select tasker_test.create_waiting('far', '[{"name": "pay", "await": {"event": "paid", "key": "$.order", "look_back": "1h", "when": "$.n > 1"}}]', '{}', '{"order": 17}');
select tasker_test.fire_notes();
select is((select s.results #>> '{payload,n}' from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task()), '2', 'a wait takes an event within look_back whose payload matches');
select tasker_test.create_waiting('near', '[{"name": "pay", "await": {"event": "paid", "key": "18", "look_back": 0.001}}]');
select tasker_test.fire_notes();
select is(tasker_test.states(), 'waiting_for_dependencies: pay=suspended', 'a wait with a short look_back does not take an older event');
select is((select count(*) from tasker.timers), 0::bigint, 'no timer is left');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
