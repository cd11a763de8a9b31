begin;
select plan(5);

select pgmq.create('tap_send');
select throws_ok($$ select pgmq.send('tap_none', '1') $$, '42P01', null, 'an unknown queue is refused');
select throws_ok($$ select pgmq.send(null, '1') $$, '22004', null, 'a null queue is refused');
select throws_ok($$ select pgmq.send('meta (queue_name) values (''x''); --', '1') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a name that contains SQL is refused');
select throws_ok(
  $$ select pgmq.send('tap_send" as "q', '1') $$, '42P01', 'relation "pgmq.q_tap_send" as "q" does not exist',
  'a name with double quotes is one identifier'
);
select is_empty('select from pgmq.q_tap_send', 'no message is sent');

select * from finish();
rollback;
