begin;
select plan(4);

select throws_ok($$ select pgmq.send('tap_none', '1') $$, '42P01', null, 'one that does not exist');
select throws_ok($$ select pgmq.send(null, '1') $$, '22004', null, 'null');
select throws_ok($$ select pgmq.send('meta (queue_name) values (''x''); --', '1') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'an injection');
select throws_ok($$ select pgmq.send('x" (vt) select now() from "q_x', '1') $$, '42P01', null, 'and one in double quotes');

select * from finish();
rollback;
