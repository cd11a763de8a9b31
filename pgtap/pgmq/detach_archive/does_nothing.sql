-- internal/tests/pgmqtest reads the warning.
begin;
select plan(2);

set local client_min_messages = error;
select pgmq.create('tap_detach');
select pgmq.archive('tap_detach', pgmq.send('tap_detach', '1'));
select lives_ok($$ select pgmq.detach_archive('tap_detach') $$, 'detach_archive raises no error');
select results_eq('select a.msg_id from pgmq.a_tap_detach as a', 'values (1::bigint)', 'the archive keeps its messages');

select * from finish();
rollback;
