begin;
select plan(6);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select is(tasklib.set_setting('max_retries', '5'), '3', 'set_setting returns the previous value');
select is(tasklib.get_setting('max_retries'), '5', 'get_setting returns the new value');
select results_eq($$ select s.changed_at, s.changed_by from tasklib.list_settings() as s where s.name = 'max_retries' $$,
  format($$ values ('2026-03-01 12:00+00'::timestamptz, %L) $$, session_user), 'the row has the time of the change and the role');
select is(tasklib.set_setting('max_retries', null), '5', 'null restores the default');
select throws_ok($$ select tasklib.set_setting('max_retries', '-1') $$, 'TK422', 'setting "max_retries" cannot be "-1"', 'a value out of bounds is refused');
select throws_ok($$ select tasklib.set_setting('nothing', '1') $$, 'TK404', 'setting "nothing" does not exist', 'an unknown setting is refused');

select * from finish();
rollback;
