begin;
select plan(12);

select tasker_test.freeze();
select tasker_test.create_task();
select throws_ok('select tasker.export_task(null)', 'TK404', 'task null does not exist', 'a null task is refused');
select throws_like($$ select tasker.export_task('00000000-0000-7000-8000-000000000000') $$, 'task % does not exist', 'and an unknown one');
select throws_ok(
  format('select tasker.export_task(tasker_test.the_task(), true, array[%L])', u.path), 'TK422',
  format('"%s" is not a path that can be blanked', left(u.path, 100)), format('the path "%s" is refused', left(u.path, 20))
)
  from unnest(array['', 'email', '$', '$.a ? (@ > 1)', '$.a.size()', '$[last]', '$."' || repeat('x', 1000) || '"']) as u (path);
select throws_ok(
  $$ select tasker.export_task(tasker_test.the_task(), true, array_fill('$.a'::text, array[101])) $$, 'TK422',
  '101 paths are to be blanked; at most 100 can be', 'so are more than a hundred'
);
select throws_ok(
  $$ select tasker.export_task(tasker_test.the_task(), true, array[null]) $$, 'TK422', 'a null path cannot be blanked', 'and a null path'
);

update tasker.workflow_steps as s set transition_count = 200001 where s.workflow_step_uuid = tasker_test.the_step('top');
select throws_ok(
  'select tasker.export_task(tasker_test.the_task())', 'TK413', format('task %s is too large for one document', tasker_test.the_task()),
  'a task with too long a history is refused before it is read'
);

select * from finish();
rollback;
