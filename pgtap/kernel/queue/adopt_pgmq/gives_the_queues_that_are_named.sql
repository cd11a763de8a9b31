begin;
select plan(6);

select tasker_test.take_turn();
-- tap_apps owns these queues: those of the migrating role can be used without adopt_pgmq.
create role tap_apps login;
grant usage, create on schema pgmq to tap_apps;
set local role tap_apps;
create table pgmq.q_tap_ours (msg_id bigint primary key generated always as identity, message jsonb);
create table pgmq.a_tap_ours (msg_id bigint primary key, message jsonb);
create table pgmq.q_tap_payroll (msg_id bigint primary key generated always as identity, message jsonb);
reset role;

select is(tasker.adopt_pgmq('{tap_ours}'), 0, 'adopt_pgmq can make every grant on the named queue');
select ok(has_table_privilege('tasker_owner', 'pgmq.q_tap_ours', 'insert, delete'), 'the grants include the queue''s table');
select ok(has_table_privilege('tasker_owner', 'pgmq.a_tap_ours', 'insert, delete'), 'they include its archive');
select ok(has_sequence_privilege('tasker_owner', 'pgmq.q_tap_ours_msg_id_seq', 'usage'), 'they include its sequence');
select ok(not has_table_privilege('tasker_owner', 'pgmq.q_tap_payroll', 'select'), 'a queue that is not named stays with its owner');
select throws_ok($$ select tasker.adopt_pgmq('{"x; drop table"}') $$, 'TK422', '"x; drop table" is not a valid queue name', 'an invalid queue name is refused');

select * from finish();
rollback;
