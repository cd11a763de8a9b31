begin;
select plan(6);

select tasker_test.take_turn();
-- Queues that their owner made: those of the role that migrates are ours from the start.
create role tap_apps login;
grant usage, create on schema pgmq to tap_apps;
set local role tap_apps;
create table pgmq.q_tap_ours (msg_id bigint primary key generated always as identity, message jsonb);
create table pgmq.a_tap_ours (msg_id bigint primary key, message jsonb);
create table pgmq.q_tap_payroll (msg_id bigint primary key generated always as identity, message jsonb);
reset role;

select is(tasker.adopt_pgmq('{tap_ours}'), 0, 'the queues that are named are adopted');
select ok(has_table_privilege('tasker_owner', 'pgmq.q_tap_ours', 'insert, delete'), 'with their messages');
select ok(has_table_privilege('tasker_owner', 'pgmq.a_tap_ours', 'insert, delete'), 'and their archive');
select ok(has_sequence_privilege('tasker_owner', 'pgmq.q_tap_ours_msg_id_seq', 'usage'), 'and what numbers them');
select ok(not has_table_privilege('tasker_owner', 'pgmq.q_tap_payroll', 'select'), 'others stay their owner''s');
select throws_ok($$ select tasker.adopt_pgmq('{"x; drop table"}') $$, 'TK422', '"x; drop table" is not a valid queue name', 'a name that none can have');

select * from finish();
rollback;
