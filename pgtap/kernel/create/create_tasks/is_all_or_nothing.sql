begin;
select plan(3);

select tasker_test.take_turn();

select tasker_test.register_diamond();
select throws_ok(
  $$ select tasker.create_tasks('test', 'diamond', array['{"n": 1}', '"n"', '{"n": 3}']::jsonb[]) $$,
  'TK422', 'context of task "test/diamond" is not a JSON object', 'one bad context refuses the whole call'
);
select is_empty($$ select from tasker.tasks as t join tasker.named_tasks as k on k.named_task_uuid = t.named_task_uuid where k.name = 'diamond' $$, 'no task is left behind');
select is_empty($$ select from tasker.task_identities as i where i.created_at >= now() $$, 'no identity is left behind');

select * from finish();
rollback;
