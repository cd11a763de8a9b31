begin;
select plan(9);

select tasker_test.make_task();

prepare insert_edge (uuid, integer, integer) as
  insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no) values ($1, $2, $3);

select throws_ok(
  format('execute insert_edge (%L, 1, 5)', tasker_test.the_task()),
  'TK422', format('task %s does not have both steps of the edge 1 -> 5', tasker_test.the_task()),
  'the second step must exist'
);
select throws_ok(
  format('execute insert_edge (%L, 5, 1)', tasker_test.the_task()),
  'TK422', format('task %s does not have both steps of the edge 5 -> 1', tasker_test.the_task()),
  'the first step must exist'
);
select throws_like(
  format('execute insert_edge (%L, 1, 2)', tasker.mint_task_uuid()),
  'task % does not have both steps of the edge 1 -> 2',
  'the task must exist'
);
select throws_ok(
  format('execute insert_edge (%L, 2, 2)', tasker_test.the_task()),
  '23514', null,
  'a step cannot depend on itself'
);
select throws_ok(
  format('execute insert_edge (%L, 1, 2)', tasker_test.the_task()),
  'TK409', format('task %s has the edge 1 -> 2 from its template', tasker_test.the_task()),
  'an edge of the template cannot be added again'
);
select lives_ok(format('execute insert_edge (%L, 2, 3)', tasker_test.the_task()), 'another edge can be added');
select throws_ok(
  format('execute insert_edge (%L, 2, 3)', tasker_test.the_task()),
  '23505', null,
  'two steps cannot have a second edge'
);

select throws_like(
  format(
    'update tasker.added_step_edges set to_step_no = 9 where task_uuid = %L and to_step_no = 3',
    tasker_test.the_task()
  ),
  'task % does not have both steps of the edge 2 -> 9', 'an edge cannot be moved to an unknown step'
);
select throws_like(
  format(
    'insert into tasker.%I (task_uuid, from_step_no, to_step_no) values (%L, 1, 5)',
    (select c.relname
       from pg_class as c
       join tasker.added_step_edges as e on e.tableoid = c.oid
      where e.task_uuid = tasker_test.the_task()
      limit 1),
    tasker_test.the_task()
  ),
  'task % does not have both steps of the edge 1 -> 5', 'a partition refuses an unknown step, too'
);

select * from finish();
rollback;
