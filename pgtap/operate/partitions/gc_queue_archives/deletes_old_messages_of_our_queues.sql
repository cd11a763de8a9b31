begin;
select plan(5);

select tasker_test.take_turn();
update tasker.partition_config set retention = '30 days';
select tasker.ensure_task_queue('worker_mine_queue');
select pgmq.create('somebody_else');
select pgmq.archive('worker_mine_queue', m) from pgmq.send_batch('worker_mine_queue', array['{}', '{}', '{}', '{}']::jsonb[]) as m;
select pgmq.archive('somebody_else', m) from pgmq.send('somebody_else', '{}') as m;
update pgmq.a_worker_mine_queue set archived_at = tasker.clock() - interval '31 days' where msg_id <= 3;
update pgmq.a_somebody_else set archived_at = tasker.clock() - interval '31 days';

select is(tasker.gc_queue_archives(2), 2, 'at most p_limit messages are deleted');
select is(tasker.gc_queue_archives(), 1, 'the next call deletes the rest');
select is(tasker.gc_queue_archives(), 0, 'no other message is deleted');
select results_eq('select msg_id from pgmq.a_worker_mine_queue', 'values (4::bigint)', 'a young message stays');
select isnt_empty('select from pgmq.a_somebody_else', 'the archive of another queue is not changed');

select * from finish();
rollback;
