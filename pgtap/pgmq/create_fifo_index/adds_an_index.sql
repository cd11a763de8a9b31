begin;
select plan(3);

set local client_min_messages = warning;
select pgmq.create('tap_fifo');
select pgmq.create_fifo_index('tap_fifo');
select has_index('pgmq'::name, 'q_tap_fifo'::name, 'q_tap_fifo_fifo_idx'::name, 'the index has the name that pgmq gives it');
select lives_ok($$ select pgmq.create_fifo_index('tap_fifo') $$, 'a second call raises no error');
select throws_ok($$ select pgmq.create_fifo_index('tap_none') $$, '42P01', null, 'an unknown queue is refused');

select * from finish();
rollback;
