begin;
set local client_min_messages = error;
select plan(4);

create temporary view queues as select c.status, c.message from tasker.check_installation() as c where c.name = 'queues';
select tasker.register_namespace('silent');
select results_eq('select * from queues', $$ values ('ok', 'every queue of a namespace exists') $$, 'a namespace without a transport needs no queue');
select tasker.register_namespace('loud', p_transport => 'pgmq');
select results_eq('select * from queues', $$ values ('ok', 'every queue of a namespace exists') $$, 'a namespace with transport pgmq has its queues');
select pgmq.drop_queue('worker_loud_queue_high');
select results_eq('select * from queues', $$ values ('warn', 'these queues do not exist: worker_loud_queue_high') $$, 'the finding names a queue that was dropped');
select tasker.ensure_task_queue('worker_loud_queue_high');
select is((select q.status from queues as q), 'ok', 'the remedy of the hint mends it');

select * from finish();
rollback;
