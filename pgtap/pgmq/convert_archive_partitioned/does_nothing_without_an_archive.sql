-- internal/tests/pgmqtest reads the notice.
begin;
select plan(3);

set local client_min_messages = warning;
select lives_ok($$ select pgmq.convert_archive_partitioned('tap_none') $$, 'a queue without an archive raises no error');
select hasnt_table('pgmq'::name, 'a_tap_none'::name, 'no archive is created');
select pgmq.create('tap_convert');
select case when tasker.pgmq_kind() = 'own'
  then throws_ok(
    $$ select pgmq.convert_archive_partitioned('tap_convert') $$, 'P0001', 'pg_partman is required for partitioned queues',
    'an archive is refused without pg_partman')
  else skip('the extension raises another error', 1)
end;

select * from finish();
rollback;
