begin;
select plan(21);

select tasker_test.subscribe('{"kinds": ["task"]}');
select tasker_test.register('one', 'a');
select from tasker.create_task('test', 'one', '{}');
select r.place as first from tasker_test.read(1) as r \gset
select r.place as second from tasker_test.read(2) as r offset 1 \gset

select is((select count(*) from tasker_test.read()), 4::bigint, 'events that are not acknowledged are returned again');
select is(tasker_test.acknowledge(:'second'), true, 'the reader acknowledges two events');
select is((select count(*) from tasker_test.read()), 2::bigint, 'only the other two events are returned');
select is(tasker_test.acknowledge(:'second'), false, 'a repeated acknowledgement changes nothing');
select is(tasker_test.acknowledge(:'first'), false, 'an earlier place changes nothing');
select throws_ok(
  format($$ select tasker.acknowledge_events('all', gen_random_uuid(), %L) $$, :'second'), 'TK409', 'subscription "all" is read by another process', 'another process may not acknowledge'
);
select throws_ok($$ select tasker_test.acknowledge('1; drop table') $$, 'TK422', 'events cannot be acknowledged with these arguments', 'a text that is not a place is refused');
select throws_ok(format('select tasker_test.acknowledge(%L)', p.place), 'TK422', 'events cannot be acknowledged with these arguments', 'this place is refused: ' || coalesce(p.place, 'null'))
  from (values
    (null), (''), ('1'), ('1 0002f0e7c01a5c2d 01a20471-0000-7000-8000-000000000000 0'),
    ('1234567890123456789 0002f0e7c01a5c2d 01a20471-0000-7000-8000-000000000000 0 1'),
    ('1 0012f0e7c01a5c2d 01a20471-0000-7000-8000-000000000000 0 1'),
    ('1 0002f0e7c01a5c2 01a20471-0000-7000-8000-000000000000 0 1'),
    ('1 0002f0e7c01a5c2d 01a20471-0000-7000-8000-00000000000- 0 1'),
    ('1 0002f0e7c01a5c2d 01a20471000070008000000000000000 0 1'),
    ('1 0002f0e7c01a5c2d 01a20471-0000-7000-8000-000000000000 1234567890 1'),
    ('1 0002f0e7c01a5c2d 01a20471-0000-7000-8000-000000000000 0 1234567890'),
    ('1 0002f0e7c01a5c2d 01a20471-0000-7000-8000-000000000000 -1 1')
  ) as p (place);
select throws_ok(format($$ select tasker_test.acknowledge(%L) $$, repeat('1', 201)), 'TK413', 'the place is longer than 200 characters', 'a place of 201 characters is refused');
select tasker.replay_events('all', '2026-03-01 11:00+00');
select is(tasker_test.acknowledge(:'second'), false, 'a place from before a replay changes nothing');

select * from finish();
rollback;
