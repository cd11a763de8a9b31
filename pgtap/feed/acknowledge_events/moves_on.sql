begin;
select plan(21);

select tasker_test.subscribe('{"kinds": ["task"]}');
select tasker_test.register('one', 'a');
select from tasker.create_task('test', 'one', '{}');
select r.place as first from tasker_test.read(1) as r \gset
select r.place as second from tasker_test.read(2) as r offset 1 \gset

select is((select count(*) from tasker_test.read()), 4::bigint, 'until then they come again');
select is(tasker_test.acknowledge(:'second'), true, 'acknowledged');
select is((select count(*) from tasker_test.read()), 2::bigint, 'the others are left');
select is(tasker_test.acknowledge(:'second'), false, 'a repeat changes nothing');
select is(tasker_test.acknowledge(:'first'), false, 'it does not go back');
select throws_ok(
  format($$ select tasker.acknowledge_events('all', gen_random_uuid(), %L) $$, :'second'), 'TK409', 'subscription "all" is read by another process', 'only its reader'
);
select throws_ok($$ select tasker_test.acknowledge('1; drop table') $$, 'TK422', 'events cannot be acknowledged with these arguments', 'what is no place');
select throws_ok(format('select tasker_test.acknowledge(%L)', p.place), 'TK422', 'events cannot be acknowledged with these arguments', 'no place: ' || coalesce(p.place, 'null'))
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
select throws_ok(format($$ select tasker_test.acknowledge(%L) $$, repeat('1', 201)), 'TK413', 'the place is longer than 200 characters', 'a long text');
select tasker.replay_events('all', '2026-03-01 11:00+00');
select is(tasker_test.acknowledge(:'second'), false, 'a place from before a replay');

select * from finish();
rollback;
