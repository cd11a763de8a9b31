begin;
select plan(9);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_shared');
create role tap_stranger;
alter schema pgmq owner to tap_stranger;
revoke all on schema pgmq from tasker_owner;
select throws_ok($$ select tasker.ensure_task_queue('tap_new') $$, 'TK403', 'tasker_owner lacks the privilege "usage" on schema "pgmq"', 'a queue cannot be created without usage on the schema');
select throws_ok($$ select tasker.pgmq_send_with_notify('tap_shared', '1') $$, 'TK403', 'tasker_owner lacks the privilege "usage" on schema "pgmq"', 'a message cannot be sent without usage on the schema');
select throws_ok($$ select tasker.get_queue_statistics() $$, 'TK403', 'tasker_owner lacks the privilege "usage" on schema "pgmq"', 'queues cannot be measured without usage on the schema');
grant usage on schema pgmq to tasker_owner;
select throws_ok($$ select tasker.ensure_task_queue('tap_new') $$, 'TK403', 'tasker_owner lacks the privilege "create" on schema "pgmq"', 'a queue cannot be created without create on the schema');
alter table pgmq.q_tap_shared owner to tap_stranger;
revoke all on pgmq.q_tap_shared from tasker_owner;
select throws_ok($$ select tasker.pgmq_send_with_notify('tap_shared', '1') $$, 'TK403', 'tasker_owner may not use queue "tap_shared"', 'a message cannot be sent to a queue of another role');
select throws_ok($$ select tasker.peek_queue('tap_shared') $$, 'TK403', 'tasker_owner may not use queue "tap_shared"', 'a queue of another role cannot be peeked at');
select is(tasker.adopt_pgmq(), 0, 'adopt_pgmq makes all the grants');
select ok(tasker.ensure_task_queue('tap_new'), 'a queue can be created after that');
select lives_ok($$ select tasker.pgmq_send_with_notify('tap_shared', '1') $$, 'a message can be sent after that');

select * from finish();
rollback;
