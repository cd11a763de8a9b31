begin;
select plan(5);

select tasker_test.start_year('2026-03-01 12:00+00', '1 day', '7 days');
select tasker_test.subscribe();
select tasker_test.subscribe('{}', 'idle');
select from tasker_test.make_old_task('20 days');
update tasker.subscriptions set snapshot = pg_current_snapshot() where subscription = 'all';
select is((select count(*) from tasker.apply_retention() as r where r.outcome = 'dropped') > 0, true, 'retention drops');
select results_eq(
  $$ select s.subscription, s.behind from tasker.list_subscriptions() as s $$, $$ values ('all', false), ('idle', true) $$,
  'who had not come so far is behind'
);
select throws_ok($$ select tasker_test.read(10, 'idle') $$, 'TK410', 'subscription "idle" has missed events', 'and is told so');
select tasker_test.pass('1 second');
select is((select r.behind from tasker.replay_events('idle', '2026-02-01') as r), false, 'a replay goes on with what is kept');
select lives_ok($$ select tasker_test.read(10, 'idle') $$, 'it reads again');

select * from finish();
rollback;
