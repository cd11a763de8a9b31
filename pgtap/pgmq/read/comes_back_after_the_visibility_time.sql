begin;
select plan(4);

select pgmq.create('tap_back');
select pgmq.send('tap_back', '1'::jsonb);
select results_eq($$ select r.read_ct from pgmq.read('tap_back', 0, 1) as r $$, $$ values (1) $$, 'zero seconds hide nothing');
select results_eq($$ select r.read_ct from pgmq.read('tap_back', -5, 1) as r $$, $$ values (2) $$, 'nor do fewer');
select results_eq($$ select r.read_ct from pgmq.read('tap_back', 30, 1) as r $$, $$ values (3) $$, 'counted each time');
update pgmq.q_tap_back as q set vt = clock_timestamp();
select results_eq($$ select r.read_ct from pgmq.read('tap_back', 30, 1) as r $$, $$ values (4) $$, 'and when its time is over');

select * from finish();
rollback;
