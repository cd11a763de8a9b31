begin;
select plan(9);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_shared');
create role tap_stranger;
alter schema pgmq owner to tap_stranger;
revoke all on schema pgmq from tasker_owner;
select throws_ok($$ select tasker.ensure_task_queue('tap_new') $$, 'TK403', 'tasker_owner lacks the privilege "usage" on schema "pgmq"', 'no usage');
select throws_ok($$ select tasker.pgmq_send_with_notify('tap_shared', '1') $$, 'TK403', 'tasker_owner lacks the privilege "usage" on schema "pgmq"', 'sending neither');
select throws_ok($$ select tasker.get_queue_statistics() $$, 'TK403', 'tasker_owner lacks the privilege "usage" on schema "pgmq"', 'measuring neither');
grant usage on schema pgmq to tasker_owner;
select throws_ok($$ select tasker.ensure_task_queue('tap_new') $$, 'TK403', 'tasker_owner lacks the privilege "create" on schema "pgmq"', 'no create');
alter table pgmq.q_tap_shared owner to tap_stranger;
revoke all on pgmq.q_tap_shared from tasker_owner;
select throws_ok($$ select tasker.pgmq_send_with_notify('tap_shared', '1') $$, 'TK403', 'tasker_owner may not use queue "tap_shared"', 'a queue of somebody else');
select throws_ok($$ select tasker.peek_queue('tap_shared') $$, 'TK403', 'tasker_owner may not use queue "tap_shared"', 'not even to look');
select is(tasker.adopt_pgmq(), 0, 'who may, grants it all');
select lives_ok($$ select tasker.ensure_task_queue('tap_new') $$, 'then it is made');
select lives_ok($$ select tasker.pgmq_send_with_notify('tap_shared', '1') $$, 'and sent');

select * from finish();
rollback;
