begin;
select plan(3);

select is(tasklib.get_setting('max_retries'), '3', 'the value is returned as text');
select throws_ok($$ select tasklib.get_setting('max_attempts') $$, 'TK404', 'setting "max_attempts" does not exist', 'a setting of schema tasker is unknown');
select throws_ok($$ select tasklib.get_setting(null) $$, 'TK404', 'setting null does not exist', 'a null setting is refused');

select * from finish();
rollback;
