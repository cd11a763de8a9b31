begin;
select plan(1);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_headers');
create role tap_stranger superuser;
alter table pgmq.q_tap_headers drop column headers;
alter table pgmq.q_tap_headers owner to tap_stranger;
grant all on pgmq.q_tap_headers to tasker_owner;
select throws_ok($$ select tasker.pgmq_ensure_headers_column('tap_headers') $$, 'TK403', 'queue "tap_headers" belongs to another role', 'a queue whose table belongs to another role is refused');

select * from finish();
rollback;
