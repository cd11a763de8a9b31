begin;
select plan(3);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker_test.make_old_task('41 days') as task \gset
insert into tasker.timers (task_uuid, kind, due_at) values (:'task', 'child_ended', tasker.clock() + interval '1 hour');

select results_eq(
  'select outcome, detail from tasker.apply_retention() limit 1',
  $$ values ('held', 'tasks: 1 with a note to another task') $$,
  'a task that has yet to notify its parent holds its range'
);
delete from tasker.timers as m where m.task_uuid = :'task';
select results_eq('select outcome from tasker.apply_retention()', $$ values ('dropped') $$, 'the range is dropped when the note is deleted');
select is_empty(format('select from tasker.tasks as t where t.task_uuid = %L', :'task'), 'its task is deleted');

select * from finish();
rollback;
