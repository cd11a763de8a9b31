begin;
select plan(11);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker.register_namespace('test');
select e.event_uuid as known from tasker.emit_event('test', 'paid', '1', '{"n": 1}', 'b') as e \gset
create temporary table answers as
select e.*, row_number() over () as no
  from tasker.emit_events(
    'test', '{refunded,paid,paid,paid,paid,paid}', '{1,2,3,4,5,6}',
    array['1', null, '3', '4', '5', 'null']::jsonb[], '{b,c,b,a,c,null}'
  ) as e;
select is(
  (select string_agg(a.repeated::text, ' ' order by a.no) from answers as a), 'false false true false true false',
  'known idempotency keys of a name, and the second of two equal ones, are repeated'
);
select is((select a.event_uuid from answers as a where a.no = 3), :'known', 'a known key is answered with the first event');
select is(
  (select a.event_uuid from answers as a where a.no = 5), (select a.event_uuid from answers as a where a.no = 2), 'the first of equal events is emitted'
);
select results_eq(
  'select b.name, b.key, b.payload, b.idempotency_key from answers as a join tasker.broadcasts as b using (event_uuid) where not a.repeated order by a.no',
  $$ values ('refunded', '1', '1'::jsonb, 'b'), ('paid', '2', '{}', 'c'), ('paid', '4', '4', 'a'), ('paid', '6', 'null', null) $$,
  'each answer has the UUID of its own event'
);
select is(
  (select count(*) from tasker.timers as m join answers as a on a.event_uuid = m.task_uuid and not a.repeated where m.kind = 'deliver_event'),
  4::bigint, 'each new event has a note'
);
select is((select count(*) from tasker.timers), 5::bigint, 'a repeat has no note');
select is(
  (select array_agg(b.key order by b.sent_at, b.event_uuid) from tasker.broadcasts as b where b.name = 'paid'), '{1,2,4,6}', 'the events are delivered in their order'
);
select is((select count(*) from tasker.emit_events('test', '{}')), 0::bigint, 'none are none');
select is((select count(*) from tasker.emit_events('test', '{paid,paid}')), 2::bigint, 'keys, payloads and idempotency keys may be left out');
select is((select count(*) from tasker.emit_events('test', '{paid,paid}', p_idempotency_keys => '{c,b}') as e where e.repeated), 2::bigint, 'a repeated call');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
