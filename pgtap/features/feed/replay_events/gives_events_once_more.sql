begin;
select plan(6);

select tasker_test.subscribe('{"kinds": ["task"]}');
select tasker_test.register('one', 'a');
select from tasker.create_task('test', 'one', '{}');
select tasker_test.pass('1 hour');
select c.task_uuid as second from tasker.create_task('test', 'one', '{"no": 2}') as c \gset
update tasker.subscriptions set slice_seconds = 86400;
create temporary table before as select r.event_uuid from tasker_test.read() as r;
select is((select count(*) from before), 8::bigint, 'read_events returns the events of two tasks');
select tasker_test.acknowledge((select r.place from tasker_test.read() as r offset 7));
select is_empty('select tasker_test.read()', 'acknowledged events are not returned again');
select is((select s.lag_seconds from tasker.replay_events('all', '2026-03-01 12:30+00') as s), 1800::double precision, 'a replay from half an hour ago has a lag of 1,800 seconds');
select results_eq(
  'select r.event_uuid, r.task_uuid from tasker_test.read() as r',
  format('select b.event_uuid, %L::uuid from before as b offset 4', :'second'), 'a replay returns the events since then with the same UUIDs'
);
select throws_ok($$ select tasker.replay_events('nothing', '2026-03-01') $$, 'TK404', 'subscription "nothing" does not exist', 'an unknown subscription is refused');
select throws_ok($$ select tasker.replay_events('all', null) $$, 'TK422', 'events cannot be replayed from null on', 'a null time is refused');

select * from finish();
rollback;
