begin;
select plan(1);

set local client_min_messages = warning;
select lives_ok($$ select pgmq.convert_archive_partitioned('tap_none') $$, 'but tell so');

select * from finish();
rollback;
