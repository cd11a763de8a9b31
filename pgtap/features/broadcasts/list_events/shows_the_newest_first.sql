begin;
select plan(6);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker.register_namespace('test');
select tasker.register_namespace('other');
select tasker_test.emit('paid', '1', '17');
select tasker_test.pass('1 second');
select tasker_test.emit('paid', '2');
select tasker_test.pass('1 second');
select tasker_test.emit('shipped', '3');
select from tasker.emit_event('other', 'paid', '', '4');
prepare payloads (text, text, text) as select e.payload::text from tasker.list_events($1, $2, $3) as e;
select results_eq('execute payloads (''test'', null, null)', array['3', '2', '1'], 'p_namespace filters by namespace');
select results_eq('execute payloads (''test'', ''paid'', null)', array['2', '1'], 'p_name filters by name');
select results_eq('execute payloads (''test'', ''paid'', ''17'')', array['1'], 'p_key filters by key');
select results_eq('execute payloads (''test'', ''paid'', '''')', array['2'], 'an empty p_key returns events without a key');
select is((select count(*) from tasker.list_events()), 4::bigint, 'all namespaces are listed without a filter');
select results_eq(
  $$ select n.payload::text
       from tasker.list_events('test', p_limit => 1) as e
      cross join lateral tasker.list_events('test', p_before_at => e.sent_at, p_before_uuid => e.event_uuid, p_limit => 1) as n $$,
  array['2'], 'p_limit and p_before page through the events'
);

select * from finish();
rollback;
