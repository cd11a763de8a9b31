begin;
select plan(10);

select tasker_test.freeze();
select tasker.ensure_task_queue('worker_tap_queue');
create role tap_app in role tasker_submitter;
grant usage, create on schema pgmq to tap_app;
grant usage on schema tasker_test to tap_app;

set local role tap_app;
create function pgmq.tap_evil() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'TZ001', message = format('a trigger runs as %s', current_user);
end;
$$;
create table pgmq.q_worker_evil_queue (
  msg_id bigint primary key generated always as identity, read_ct integer default 0, enqueued_at timestamptz default now(),
  last_read_at timestamptz, vt timestamptz default now(), message jsonb, headers jsonb
);
create trigger evil before insert on pgmq.q_worker_evil_queue for each row execute function pgmq.tap_evil();
grant all on pgmq.q_worker_evil_queue to tasker_owner;
select throws_ok(
  $$ select tasker.pgmq_send_with_notify('worker_evil_queue', '{}') $$, 'TK403',
  'queue "worker_evil_queue" is not used with the rights of tasker_owner', 'a trigger on a table of another role does not run'
);
create table pgmq.q_worker_zz_queue (like pgmq.q_worker_evil_queue);
create table pgmq.a_worker_zz_queue (msg_id bigint, archived_at timestamptz);
create trigger evil before delete on pgmq.a_worker_zz_queue for each row execute function pgmq.tap_evil();
grant all on pgmq.a_worker_zz_queue to tasker_owner;
insert into pgmq.a_worker_zz_queue values (1, '2001-01-01');
create view pgmq.q_worker_view_queue as select * from pgmq.q_worker_evil_queue;
grant all on pgmq.q_worker_view_queue to tasker_owner;
-- This function fits a call with two integers better than pgmq's own, which has one argument more.
create function pgmq.read(queue_name text, vt integer, qty integer) returns setof pgmq.message_record language plpgsql as $$
begin
  raise exception using errcode = 'TZ001', message = format('a function runs as %s', current_user);
end;
$$;
reset role;

select lives_ok($$ select tasker.gc_queue_archives() $$, 'maintenance does not run such a trigger either');
select results_eq('select count(*) from pgmq.a_worker_zz_queue', '{1}'::bigint[], 'maintenance does not change that role''s archive');
select throws_ok(
  $$ select tasker.peek_queue('worker_view_queue') $$, 'TK403', 'queue "worker_view_queue" is not used with the rights of tasker_owner', 'a view is not read'
);
select throws_ok(
  $$ select tasker.pgmq_send_with_notify('worker_tap_queue', '{}') $$, 'TK403',
  'queue "worker_tap_queue" is not used with the rights of tasker_owner', 'no queue is used while another role has a function in schema pgmq'
);
drop function pgmq.read(text, integer, integer);
select lives_ok($$ select tasker.pgmq_send_with_notify('worker_tap_queue', '{}') $$, 'the owner''s queue is used again without that function');
insert into pgmq.meta (queue_name, is_partitioned, is_unlogged) values ('worker_view_queue', false, false);
select is_empty(
  $$ select from tasker.get_queue_statistics() as s where s.queue_name = 'worker_view_queue' $$, 'a view is not measured'
);

-- A role with the trigger privilege puts a trigger on a table of the owner.
grant trigger on pgmq.q_worker_tap_queue to tap_app;
set local role tap_app;
create trigger evil before insert on pgmq.q_worker_tap_queue for each row execute function pgmq.tap_evil();
reset role;
select throws_ok(
  $$ select tasker.pgmq_send_with_notify('worker_tap_queue', '{}') $$, 'TK403',
  'queue "worker_tap_queue" is not used with the rights of tasker_owner', 'a table with a trigger of another role is not used'
);
drop trigger evil on pgmq.q_worker_tap_queue;
alter table pgmq.a_worker_tap_queue owner to tap_app;
grant all on pgmq.a_worker_tap_queue to tasker_owner;
select throws_ok(
  $$ select tasker.pgmq_delete_messages('worker_tap_queue', '{1}') $$, 'TK403',
  'queue "worker_tap_queue" is not used with the rights of tasker_owner', 'an archive of another role is not used'
);
select throws_ok(
  $$ select tasker.ensure_task_queue('worker_evil_queue') $$, 'TK403',
  'queue "worker_evil_queue" is not used with the rights of tasker_owner', 'a queue that another role has created is not taken over'
);

select * from finish();
rollback;
