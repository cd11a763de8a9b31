begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.register('solo', 'a');
create function pg_temp.call(p_sleep jsonb) returns jsonb language sql as $$
  select tasker.exchange_or_sleep(jsonb_build_object(
    'worker_uuid', tasker_test.worker(), 'namespaces', '{test}'::text[], 'limit', 1, 'sleep', p_sleep
  ))::jsonb;
$$;
create temporary table said as select pg_temp.call(pg_temp.call(null) -> 'sleep') as r;
select tasker_test.pass('6 seconds');
update said set r = pg_temp.call(r -> 'sleep');
select is((select r #>> '{sleep,phase}' from said), 'asleep', 'a poll that finds nothing sleeps again');
select is((select (r #>> '{sleep,poll_at}')::timestamptz - tasker.clock() from said), interval '5 seconds', 'as long as before');
select tasker_test.pass('15 seconds');
update said set r = pg_temp.call(r -> 'sleep');
select is((select r #>> '{sleep,phase}' from said), 'marked', 'a mark that ends soon is renewed');
select is((select max(s.until) - tasker.clock() from tasker.sleepers as s), interval '30 seconds', 'for half a minute');

select tasker.set_setting('notify', 'off');
update said set r = pg_temp.call(pg_temp.call(null) -> 'sleep');
select is(
  (select (r #>> '{sleep,poll_at}')::timestamptz - tasker.clock() from said), interval '1 second', 'without notifications it polls every second'
);
select throws_ok(
  $$ select tasker.exchange_or_sleep('{"sleep": {"phase": "deep"}}') $$, 'TK422', 'the request of tasker.exchange_or_sleep is invalid',
  'a sleep of its own is refused'
);
select throws_ok(
  $$ select tasker.exchange_or_sleep('{"sleep": 1}') $$, 'TK422', 'the request of tasker.exchange_or_sleep is invalid', 'a number is refused'
);

select * from finish();
rollback;
