begin;
select plan(6);

select tasker_test.register('order', 'top', 'left top', 'right top', 'bottom left right');
select tasker_test.start_task('order');
create temporary table first as select tasker_test.the_task() as task_uuid;
select tasker_test.start_task('order');

prepare edges (uuid) as
  select e.from_step_no, e.to_step_no, e.name, e.condition::text
    from tasker.workflow_step_edges as e
   where e.task_uuid = $1
   order by e.from_step_no, e.to_step_no;

select results_eq(
  format('execute edges (%L)', tasker_test.the_task()),
  $$ values (1, 2, 'provides', null), (1, 3, 'provides', null), (2, 4, 'provides', null), (3, 4, 'provides', null) $$,
  'a task has the edges of its template'
);
select is_empty('select from tasker.added_step_edges', 'a task has no copy of the edges of its template');
select is((select t.has_added_edges from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), false, 'has_added_edges is false before an edge is added');

select tasker.add_step_edge(tasker_test.the_step('left'), tasker_test.the_step('right'), 'first', '$.a == 1');
select results_eq(
  format('execute edges (%L)', tasker_test.the_task()),
  $$ values (1, 2, 'provides', null), (1, 3, 'provides', null), (2, 3, 'first', '($."a" == 1)'),
            (2, 4, 'provides', null), (3, 4, 'provides', null) $$,
  'an added edge is listed with its name and condition'
);
select is((select t.has_added_edges from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), true, 'has_added_edges is true after an edge is added');
select results_eq(
  format('execute edges (%L)', (select f.task_uuid from first as f)),
  $$ values (1, 2, 'provides', null), (1, 3, 'provides', null), (2, 4, 'provides', null), (3, 4, 'provides', null) $$,
  'the other task of the template keeps its edges'
);

select * from finish();
rollback;
