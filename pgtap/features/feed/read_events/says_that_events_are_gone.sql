begin;
select plan(7);

select tasker_test.start_year('2026-03-01 12:00+00', '1 day', '7 days');
select tasker_test.subscribe();
select tasker_test.subscribe('{}', 'idle');
select from tasker_test.make_old_task('20 days');
update tasker.subscriptions set snapshot = pg_current_snapshot() where subscription = 'all';
select is((select count(*) from tasker.apply_retention() as r where r.outcome = 'dropped') > 0, true, 'retention drops a partition');
select results_eq(
  $$ select s.subscription, s.behind from tasker.list_subscriptions() as s $$, $$ values ('all', false), ('idle', true) $$,
  'a subscription that had not read the dropped events is behind'
);
select throws_ok($$ select tasker_test.read(10, 'idle') $$, 'TK410', 'subscription "idle" has missed events', 'read_events refuses a subscription that is behind');
select is_empty($$ select from tasker.feed_lists as l where l.subscription = 'idle' $$, 'nothing is stored for a subscription that is behind');
select lives_ok($$ select tasker_test.read(10) $$, 'other subscriptions can be read');
select tasker_test.pass('1 second');
select is((select r.behind from tasker.replay_events('idle', '2026-02-01') as r), false, 'a replay continues with the events that are left');
select lives_ok($$ select tasker_test.read(10, 'idle') $$, 'the subscription can be read again');

select * from finish();
rollback;
