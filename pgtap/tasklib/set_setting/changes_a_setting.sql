begin;
select plan(6);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select is(tasklib.set_setting('max_retries', '5'), '3', 'the answer is the value before');
select is(tasklib.get_setting('max_retries'), '5', 'the new one is in force');
select results_eq($$ select s.changed_at, s.changed_by from tasklib.list_settings() as s where s.name = 'max_retries' $$,
  format($$ values ('2026-03-01 12:00+00'::timestamptz, %L) $$, session_user), 'it is on record who did');
select is(tasklib.set_setting('max_retries', null), '5', 'null is the default');
select throws_ok($$ select tasklib.set_setting('max_retries', '-1') $$, 'TK422', 'setting "max_retries" cannot be "-1"', 'a value out of bounds');
select throws_ok($$ select tasklib.set_setting('nothing', '1') $$, 'TK404', 'setting "nothing" does not exist', 'an unknown setting');

select * from finish();
rollback;
