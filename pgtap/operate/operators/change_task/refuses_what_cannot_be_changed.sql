begin;
select plan(17);

select tasker_test.freeze();
create temporary table cases as
  select s.state::text as state, tasker_test.make_task_in(s.state::text) as task
    from tasker.task_states as s;
select tasker_test.remember_rows();
select throws_ok(format('select tasker.change_task(%L, 5)', c.task), 'TK409', format('task %s has ended: it is %s', c.task, c.state), 'it has ended: ' || c.state)
  from cases as c join tasker.task_states as s on s.state::text = c.state where s.terminal order by c.state;
select throws_ok(format('select tasker.change_task(%L)', (select c.task from cases as c where c.state = 'pending')), 'TK422', 'there is nothing to change', 'nothing to change');
select throws_ok(format('select tasker.change_task(%L, 1001)', (select c.task from cases as c where c.state = 'pending')), 'TK422', 'priority 1001 is not between -1000 and 1000', 'a priority out of range');
select throws_ok(format('select tasker.change_task(%L, p_start_at => %L)', (select c.task from cases as c where c.state = 'pending'), 'infinity'), 'TK422', 'the start of a task cannot be infinity', 'no time');
select throws_ok(format('select tasker.change_task(%L, p_deadline => %L)', (select c.task from cases as c where c.state = 'pending'), '-infinity'), 'TK422', 'the deadline of a task cannot be -infinity', 'nor this');
select throws_ok(format('select tasker.change_task(%L, 1, p_reason => repeat(%L, 1001))', (select c.task from cases as c limit 1), 'x'), 'TK413', 'the reason is longer than 1000 characters', 'a reason that is too long');
select throws_ok($$ select tasker.change_task('00000000-0000-0000-0000-000000000000', 1) $$, 'TK404', 'task 00000000-0000-0000-0000-000000000000 does not exist', 'no such task');
select throws_ok('select tasker.change_task(null, 1)', 'TK404', 'task null does not exist', 'null is no task');
select throws_ok(format('set local role tasker_%s; select tasker.change_task(null, 1)', r), '42501', 'permission denied for function change_task', r || 's change no task')
  from unnest('{worker,reader,submitter}'::text[]) as r;
select is_empty('select tasker_test.changed_tables()', 'nothing is changed');
select is((select count(*) from cases as c join tasker.task_states as s on s.state::text = c.state where case when s.terminal then false else tasker.change_task(c.task, 5) end), (select count(*) from tasker.task_states as s where not s.terminal), 'a task in each other state is changed');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
