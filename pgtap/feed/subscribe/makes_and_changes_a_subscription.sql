begin;
select plan(12);

select tasker_test.subscribe();
select results_eq(
  $$ select s.subscription, s.namespaces, s.kinds, s.lag_seconds, s.behind, s.reader from tasker.list_subscriptions() as s $$,
  $$ values ('all', null::text[], '{step,task}'::text[], 0::double precision, false, null::text) $$,
  'made'
);
select tasker_test.register('one', 'a');
select from tasker.create_task('test', 'one', '{}');
select is((select count(*) from tasker_test.read(1000)), 5::bigint, 'events');
select tasker_test.read(2);
select isnt_empty('select from tasker.feed_lists', 'a smaller batch lists the others');
select results_eq(
  $$ select s.namespaces, s.events, s.target from tasker.subscribe('all', '{"namespaces": ["test"], "events": ["Start"]}', '{"webhook": {"url": "https://example.org/x"}}') as s $$,
  $$ values ('{test}'::text[], '{Start}'::text[], '{"webhook": {"url": "https://example.org/x"}}'::jsonb) $$,
  'changed'
);
select is_empty('select from tasker.feed_lists', 'what the former filter found is dropped');
select is((select string_agg(r.event, ' ') from tasker_test.read() as r), 'Start', 'it keeps its place');
select is((select string_agg(r.event, ' ') from tasker_test.read(1) as r), 'Start', 'and finds by the new filter');
select is((select count(*) from tasker.subscribe('second', p_since => '2026-03-01 11:00+00')), 1::bigint, 'a second one, from a time on');
select is((select count(*) from tasker_test.read(1000, 'second')), 5::bigint, 'has what happened since');
select throws_ok($$ select tasker.subscribe('third', '{"namespaces": ["nowhere"]}') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace');
select tasker.set_setting('max_subscriptions', '2');
select throws_ok($$ select tasker.subscribe('third') $$, 'TK429', 'there are 2 subscriptions already', 'too many');
select lives_ok($$ select tasker.subscribe('second') $$, 'one of them may change');

select * from finish();
rollback;
