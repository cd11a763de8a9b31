begin;
select plan(2);

set local client_min_messages = warning;
select pgmq.create('tap_f1'), pgmq.create('tap_f2');
select pgmq.create_fifo_indexes_all();
select has_index('pgmq'::name, 'q_tap_f1'::name, 'q_tap_f1_fifo_idx'::name, 'the first queue gets an index');
select has_index('pgmq'::name, 'q_tap_f2'::name, 'q_tap_f2_fifo_idx'::name, 'the second queue gets an index');

select * from finish();
rollback;
