begin;
select plan(6);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "steps": []}');
select throws_ok($$ select tasker.test_event(null, 'e') $$, 'TK404', 'namespace null does not exist', 'no namespace');
select throws_ok($$ select tasker.test_event('none', 'e') $$, 'TK404', 'namespace "none" does not exist', 'an unknown namespace');
select throws_ok($$ select tasker.test_event('test', repeat('x', 129)) $$, 'TK413', 'the name of an event is longer than 128 characters', 'a name that is too long');
select throws_ok($$ select tasker.test_event('test', 'e', repeat('x', 501)) $$, 'TK413', 'the key of an event is longer than 500 characters', 'a key that is too long');
select throws_ok($$ select tasker.test_event('test', 'e', p_payload => (repeat('[', 1001) || repeat(']', 1001))::jsonb) $$, 'TK422', 'the payload of an event is nested deeper than 1,000 levels', 'a payload that is too deep');
select is_empty($$ select tasker.test_event('test', null) $$, 'no name is the name of no event');

select * from finish();
rollback;
