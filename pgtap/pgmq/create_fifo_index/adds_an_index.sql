begin;
select plan(3);

set local client_min_messages = warning;
select pgmq.create('tap_fifo');
select pgmq.create_fifo_index('tap_fifo');
select has_index('pgmq'::name, 'q_tap_fifo'::name, 'q_tap_fifo_fifo_idx'::name, 'of its known name');
select lives_ok($$ select pgmq.create_fifo_index('tap_fifo') $$, 'once');
select throws_ok($$ select pgmq.create_fifo_index('tap_none') $$, '42P01', null, 'a queue that does not exist');

select * from finish();
rollback;
