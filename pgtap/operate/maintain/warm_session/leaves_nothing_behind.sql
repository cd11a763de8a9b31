begin;
select plan(4);

select ok(tasker.warm_session(), 'warm_session makes every kind of call');
select is_empty($$ select from tasker.task_namespaces as n where n.name like 'w%' and n.created_at >= now() $$, 'no namespace is left');
select is_empty($$ select from tasker.named_tasks as k where k.name = 'warm_up' $$, 'no template is left');
select is_empty($$ select from tasker.step_queue as q where q.namespace like 'w%' $$, 'no queue row is left');

select * from finish();
rollback;
