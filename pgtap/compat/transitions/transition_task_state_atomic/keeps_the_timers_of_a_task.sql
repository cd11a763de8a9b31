begin;
select plan(9);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();

prepare timers as
  select m.kind::text, m.due_at
    from tasker.timers as m
   where m.task_uuid = tasker_test.the_task()
   order by m.kind;

create function pg_temp.make_timed()
  returns void
  language plpgsql
as $$
begin
  perform tasker_test.make_task();
  update tasker.tasks set deadline = '2050-01-20 14:00:00+00' where task_uuid = tasker_test.the_task();
  insert into tasker.timers (task_uuid, kind, due_at)
  values (tasker_test.the_task(), 'start_task', '2050-01-20 13:00:00+00'),
         (tasker_test.the_task(), 'task_deadline', '2050-01-20 14:00:00+00');
end;
$$;

select pg_temp.make_timed();
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select results_eq(
  'timers',
  $$ values ('task_deadline', timestamptz '2050-01-20 14:00:00+00'), ('advance_task', '2050-01-20 12:00:00+00') $$,
  'a started task has no timer for its start, but a note that a claim advances it'
);

select tasker_test.move_task(tasker_test.the_task(), 'error');
select is_empty('timers', 'an ended task has no timer');

select tasker_test.move_task(tasker_test.the_task(), 'pending');
select results_eq(
  'timers',
  $$ values ('task_deadline', timestamptz '2050-01-20 14:00:00+00'), ('advance_task', '2050-01-20 12:00:00+00') $$,
  'a reset task has the timer of a deadline that lies ahead'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select tasker_test.move_task(tasker_test.the_task(), 'error');
select tasker_test.pass('2 hours');
select tasker_test.move_task(tasker_test.the_task(), 'pending');
select results_eq(
  'timers',
  $$ values ('advance_task', timestamptz '2050-01-20 14:00:00+00') $$, 'a reset task has no timer of a deadline that has passed'
);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select pg_temp.make_timed();
select tasker_test.move_task(tasker_test.the_task(), 'cancelled');
select is_empty('timers', 'a task that is cancelled before its start has no timer');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select pg_temp.make_timed();
select tasker_test.move_task(tasker_test.the_task(), 'initializing');
select tasker_test.move_step(tasker_test.the_step(s.name), 'cancelled')
  from (values ('top'), ('left'), ('right'), ('bottom')) as s (name);
select tasker_test.move_task(tasker_test.the_task(), 'complete');
select is_empty('timers', 'a complete task has no timer');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
