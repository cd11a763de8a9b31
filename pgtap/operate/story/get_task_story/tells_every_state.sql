begin;
select plan(5);

select tasker_test.freeze('2040-01-01 12:00:00+00');
select tasker.ensure_partitions();
create function pg_temp.story()
  returns setof text
  language sql
as $$
  select format('%s %s %s', coalesce(p.step_name, '-'), p.kind, p.seconds) from tasker.get_task_story(tasker_test.the_task()) as p order by p.place;
$$;

select throws_like('select from tasker.get_task_story(null)', 'task % does not exist', 'a null task is refused');
select tasker_test.create_task(p_start_at => tasker.clock() + interval '1 hour');
select tasker_test.pass('30 minutes');
select results_eq('select * from pg_temp.story()', $$ values ('- start 1800') $$, 'a task that has not begun waits for its start');

select tasker_test.create_waiting('sleep', '[{"name": "a", "await": {"for": "1h"}}, {"name": "b", "dependencies": ["a"], "await": {"event": "paid"}}]');
select tasker_test.pass('1 hour');
select tasker.fire_due_timers();
select tasker_test.pass('7 seconds');
select results_eq('select * from pg_temp.story()', $$ values ('a time 3600'), ('b event 7') $$, 'waits for times and events');

select tasker_test.begin_function(p_name => 'stuck');
select tasker_test.pass('3 seconds');
select tasker_test.fail_for_good('work');
select tasker_test.pass('9 seconds');
select results_eq('select * from pg_temp.story()', $$ values ('work running 3'), ('work failed 9') $$, 'a failed step waits for an operator');

select tasker_test.family();
select tasker_test.create_task('parent');
select tasker_test.pass('8 seconds');
select matches((select string_agg(s.story, ', ') from pg_temp.story() as s (story)), 'task 8$', 'a step that started another task waits for it');

select * from finish();
rollback;
