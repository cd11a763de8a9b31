begin;
select plan(6);

select tasker_test.subscribe();
select tasker_test.register('one', 'a');
select from tasker.create_task('test', 'one', '{}');
select r.place as first, r.event_uuid as event from tasker_test.read(1) as r \gset
select is(tasker.bury_event('all', '01980000-0000-7000-8000-00000000000b', :'first', :'event', '{"event": "Create"}', 'HTTP 500'), true, 'the reader buries the event');
select results_eq(
  $$ select d.event_uuid, d.event, d.error from tasker.list_dead_events('all') as d $$,
  format($$ values (%L::uuid, '{"event": "Create"}'::jsonb, 'HTTP 500') $$, :'event'), 'the dead event has its body and its error'
);
select is((select r.event from tasker_test.read(1) as r), 'Start', 'the reader continues with the next event');
select is(tasker.bury_event('all', '01980000-0000-7000-8000-00000000000b', :'first', :'event', '{}', 'x'), false, 'an event is buried only once');
select is((select s.dead from tasker.list_subscriptions() as s), 1::bigint, 'list_subscriptions counts the dead event');
select throws_ok(format($$ select tasker.bury_event('all', '01980000-0000-7000-8000-00000000000b', %L, null, '{}', 'x') $$, :'first'), 'TK422', 'an event is given up with its UUID, its body and the error', 'a null UUID is refused');

select * from finish();
rollback;
