begin;
select plan(3);

select is(tasklib.get_setting('max_retries'), '3', 'as text');
select throws_ok($$ select tasklib.get_setting('max_attempts') $$, 'TK404', 'setting "max_attempts" does not exist', 'those of schema tasker are others');
select throws_ok($$ select tasklib.get_setting(null) $$, 'TK404', 'setting null does not exist', 'null');

select * from finish();
rollback;
