begin;
select plan(11);

select tasker.register_namespace('test');
select throws_ok($$ select tasker.emit_events('test', null) $$, 'TK422', 'names, keys, payloads and idempotency keys of the events do not match', 'no names');
select throws_ok($$ select tasker.emit_events('test', '{a,b}', '{1}') $$, 'TK422', 'names, keys, payloads and idempotency keys of the events do not match', 'a key too few');
select throws_ok($$ select tasker.emit_events('test', '{a}', null, '{1,2}') $$, 'TK422', 'names, keys, payloads and idempotency keys of the events do not match', 'a payload too many');
select throws_ok($$ select tasker.emit_events('test', '{a}', null, null, '{}') $$, 'TK422', 'names, keys, payloads and idempotency keys of the events do not match', 'no idempotency key');
select throws_ok($$ select tasker.emit_events('test', '{{a,b}}') $$, 'TK422', 'names, keys, payloads and idempotency keys of the events do not match', 'an array of arrays');
select throws_ok($$ select tasker.emit_events('test', '{a,null}') $$, 'TK422', '"null" is no name of an event', 'a name is null');
select throws_ok($$ select tasker.emit_events('test', '{a,b}', '{1,$.n}') $$, 'TK422', 'the key "$.n" of event "b" is a path', 'one of the keys is a path');
select throws_ok(
  $$ select tasker.emit_events('test', '{a,b}', null, array['1', to_jsonb(repeat('x', 16384))]) $$, 'TK413', 'the payload of event "b" is too large', 'one of the payloads is too large'
);
select throws_ok($$ select tasker.emit_events('missing', '{a}') $$, 'TK404', 'namespace "missing" does not exist', 'no namespace');
select throws_ok($$ select tasker.emit_events('test', array_fill('a'::text, array[10001])) $$, 'TK413', '10001 events are too many for one call', 'too many events');
select is((select count(*) from tasker.broadcasts), 0::bigint, 'no event of a refused call is emitted');

select * from finish();
rollback;
