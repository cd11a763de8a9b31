begin;
select plan(4);

select pgmq.create('tap_back');
select pgmq.send('tap_back', '1'::jsonb);
select results_eq($$ select r.read_ct from pgmq.read('tap_back', 0, 1) as r $$, $$ values (1) $$, 'a time of 0 seconds does not hide the message');
select results_eq($$ select r.read_ct from pgmq.read('tap_back', -5, 1) as r $$, $$ values (2) $$, 'a negative time does not hide it either');
select results_eq($$ select r.read_ct from pgmq.read('tap_back', 30, 1) as r $$, $$ values (3) $$, 'each read is counted');
update pgmq.q_tap_back as q set vt = clock_timestamp();
select results_eq($$ select r.read_ct from pgmq.read('tap_back', 30, 1) as r $$, $$ values (4) $$, 'the message is read again when its time is over');

select * from finish();
rollback;
