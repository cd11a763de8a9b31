begin;
select plan(12);

select tasker_test.subscribe();
select results_eq(
  $$ select s.subscription, s.namespaces, s.kinds, s.lag_seconds, s.behind, s.reader from tasker.list_subscriptions() as s $$,
  $$ values ('all', null::text[], '{step,task}'::text[], 0::double precision, false, null::text) $$,
  'a new subscription has no filter, no lag and no reader'
);
select tasker_test.register('one', 'a');
select from tasker.create_task('test', 'one', '{}');
select is((select count(*) from tasker_test.read(1000)), 5::bigint, 'the subscription has the events of the task');
select tasker_test.read(2);
select isnt_empty('select from tasker.feed_lists', 'a smaller batch leaves a list of the other events');
select results_eq(
  $$ select s.namespaces, s.events, s.target from tasker.subscribe('all', '{"namespaces": ["test"], "events": ["Start"]}', '{"webhook": {"url": "https://example.org/x"}}') as s $$,
  $$ values ('{test}'::text[], '{Start}'::text[], '{"webhook": {"url": "https://example.org/x"}}'::jsonb) $$,
  'subscribe changes the filter and the target'
);
select is_empty('select from tasker.feed_lists', 'the change deletes the list of the former filter');
select is((select string_agg(r.event, ' ') from tasker_test.read() as r), 'Start', 'the subscription keeps its place');
select is((select string_agg(r.event, ' ') from tasker_test.read(1) as r), 'Start', 'a smaller batch uses the new filter, too');
select is((select count(*) from tasker.subscribe('billing-service', p_since => '2026-03-01 11:00+00')), 1::bigint, 'a second subscription starts at a given time');
select is((select count(*) from tasker_test.read(1000, 'billing-service')), 5::bigint, 'the second subscription has the events since then');
select throws_ok($$ select tasker.subscribe('third', '{"namespaces": ["nowhere"]}') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace is refused');
select tasker.set_setting('max_subscriptions', '2');
select throws_ok($$ select tasker.subscribe('third') $$, 'TK429', 'there are 2 subscriptions already', 'more subscriptions than max_subscriptions are refused');
select lives_ok($$ select tasker.subscribe('billing-service') $$, 'an existing subscription can be changed at the limit');

select * from finish();
rollback;
