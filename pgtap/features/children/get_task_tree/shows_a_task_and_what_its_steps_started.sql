begin;
select plan(8);

select tasker_test.family();
select tasker.fire_due_timers();
select results_eq(
  $$ select n.level, n.name, n.parent_step, n.state::text, n.parent_task_uuid from tasker.get_task_tree(tasker_test.parent()) as n $$,
  $$ values (0, 'parent', null, 'waiting_for_dependencies', null::uuid), (1, 'child', 'kid', 'steps_in_process', tasker_test.parent()) $$,
  'get_task_tree returns the task, then its children'
);
select results_eq(
  $$ select n.level, n.name, n.parent_step from tasker.get_task_tree(tasker_test.child()) as n $$,
  $$ values (0, 'child', 'kid') $$, 'get_task_tree of a child returns its own tree'
);
select is((select count(*) from tasker.get_task_tree(tasker_test.parent(), 1)), 1::bigint, 'p_limit limits the rows');
select throws_ok('select tasker.get_task_tree(tasker_test.parent(), 0)', 'TK422', 'the limit is 0; it must be between 1 and 100,000');
select throws_ok('select tasker.get_task_tree(gen_random_uuid())', 'TK404');
select throws_ok('select tasker.get_task_tree(null)', 'TK404');
select is((select t.task_uuid from tasker.list_tasks(p_parent_task_uuid => tasker_test.parent()) as t), tasker_test.child(), 'list_tasks finds children by their parent');
select is((select s.child_task_uuid from tasker.list_steps(tasker_test.parent()) as s where s.name = 'kid'), tasker_test.child(), 'list_steps shows the child of a step');

select * from finish();
rollback;
