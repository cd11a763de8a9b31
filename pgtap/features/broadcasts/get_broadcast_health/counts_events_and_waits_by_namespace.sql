begin;
select plan(6);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker.register_namespace('bank');
select tasker_test.create_waiting('market', '[
  {"name": "trade", "await": [{"event": "market_open"}, {"event": "market_closed"}, {"signal": "go"}]}
]');
select tasker_test.fire_notes();
prepare health as
  select h.namespace_name, h.kept_events, h.undelivered_events, h.oldest_undelivered_seconds, h.busy_receivers, h.waits
    from tasker.get_broadcast_health() as h;
select results_eq('execute health', $$ values ('bank', 0::bigint, 0::bigint, 0::double precision, 0::bigint, 0::bigint), ('test', 0, 0, 0, 0, 2) $$,
  'each alternative that is an event counts as a wait');
select tasker_test.emit('market_open');
select tasker_test.pass('5 seconds');
select tasker_test.emit('other');
select results_eq('execute health', $$ values ('bank', 0::bigint, 0::bigint, 0::double precision, 0::bigint, 0::bigint), ('test', 2, 2, 5, 0, 2) $$,
  'events that have not come to all waits are counted, with the age of the oldest');
insert into tasker.broadcast_retries (event_uuid, task_uuid, step_no, due_at)
select b.event_uuid, w.task_uuid, w.step_no, '2026-11-22 12:00:06+00'
  from tasker.broadcasts as b
 cross join (select distinct w.task_uuid, w.step_no from tasker.waits as w) as w
 where b.name = 'market_open';
select is((select h.busy_receivers from tasker.get_broadcast_health() as h where h.namespace_name = 'test'), 1::bigint, 'a step that is tried again is counted as busy');
delete from tasker.broadcast_retries;
select tasker_test.fire_notes();
select results_eq('execute health', $$ values ('bank', 0::bigint, 0::bigint, 0::double precision, 0::bigint, 0::bigint), ('test', 2, 0, 0, 0, 0) $$,
  'delivered events are counted as kept');
set local tasker.namespaces = '*';
create role tap_bank in role tasker_reader;
select tasker.bind_role('tap_bank', '{bank}');
set local role tap_bank;
select results_eq('select h.namespace_name from tasker.get_broadcast_health() as h', array['bank'], 'a bound role sees only its namespaces');
reset role;
create role tap_submitter in role tasker_submitter;
set local role tap_submitter;
select throws_ok('select from tasker.get_broadcast_health()', '42501', null, 'a submitter may not call it');
reset role;

select * from finish();
rollback;
