begin;
select plan(14);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('market', '[
  {"name": "trade", "await": {"event": "market_open"}}, {"name": "report", "dependencies": ["trade"]}
]');
select from tasker.create_tasks('test', 'market', array_fill('{}'::jsonb, array[4]));
select tasker_test.create_waiting('other', '[
  {"name": "closed", "await": {"event": "market_closed"}},
  {"name": "keyed", "await": {"event": "market_open", "key": "XETRA"}},
  {"name": "either", "await": [{"signal": "go"}, {"for": "1d"}, {"event": "market_open"}]}
]');
select is(tasker_test.fire_notes(), 8, 'each wait has left a note');
select tasker_test.emit('market_open', '{"at": "nine"}') as event \gset
select is((select count(*) from tasker.workflow_steps as s where s.state = 'complete'), 0::bigint, 'emitting moves no step');
select is((select count(*) from tasker.timers as m where m.kind = 'deliver_event'), 1::bigint, 'emitting leaves one note');
select is((select b.delivered_at is null from tasker.broadcasts as b), true, 'the event is not marked as delivered');
select is(tasker_test.fire_notes(), 1, 'another transaction delivers it');
select results_eq(
  $$ select s.name, s.state::text, count(*) from tasker.workflow_steps as s group by s.name, s.state order by s.name $$,
  $$ values ('closed', 'suspended', 1::bigint), ('either', 'complete', 1), ('keyed', 'suspended', 1), ('report', 'enqueued', 5), ('trade', 'complete', 5) $$,
  'every step that waits for this name and key continues'
);
select is(
  (select s.results from tasker.workflow_steps as s where s.name = 'either'),
  jsonb_build_object('by', 'event', 'name', 'market_open', 'key', '', 'event_uuid', :'event', 'payload', '{"at": "nine"}'::jsonb, 'sent_at', '2026-11-22T12:00:00.000000Z'),
  'the result says what ended the wait'
);
select results_eq(
  $$ select b.receivers, b.busy_receivers, b.delivered_at, b.sent_by = session_user from tasker.list_events('test') as b $$,
  $$ values (6::bigint, 0::bigint, timestamptz '2026-11-22 12:00:00+00', true) $$, 'the event says how many steps it came to, when, and who sent it'
);
select is(
  (select count(distinct h.description) from tasker.workflow_steps as s cross join lateral tasker.get_step_history(s.workflow_step_uuid) as h where s.name = 'either' and h.description like '%event "market_open"%'),
  2::bigint, 'the history names the event'
);
select is((select count(*) from tasker.waits as w), 2::bigint, 'two steps still wait');
select is((select count(*) from tasker.timers), 0::bigint, 'no timer is left');
select is_empty('select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');
select is_empty($$ select from tasker.list_events($a$other$a$) as e $$, 'other namespaces do not list the event');

select * from finish();
rollback;
