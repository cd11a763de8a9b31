begin;
select plan(13);

select tasker_test.freeze();
create temporary table cases as
  select s.state::text as state, tasker_test.make_task_in(s.state::text) as task
    from tasker.task_states as s
   where s.terminal;
select tasker_test.remember_rows();
select throws_ok(format('select tasker.pause_task(%L)', c.task), 'TK409', format('task %s has ended: it is %s', c.task, c.state), 'it has ended: ' || c.state)
  from cases as c order by c.state;
select throws_ok($$ select tasker.pause_task('00000000-0000-0000-0000-000000000000') $$, 'TK404', 'task 00000000-0000-0000-0000-000000000000 does not exist', 'no such task');
select throws_ok('select tasker.pause_task(null)', 'TK404', 'task null does not exist', 'null is no task');
select throws_ok($$ select tasker.resume_task('00000000-0000-0000-0000-000000000000') $$, 'TK404', 'task 00000000-0000-0000-0000-000000000000 does not exist', 'nor to be resumed');
select throws_ok('select tasker.resume_task(null)', 'TK404', 'task null does not exist', 'null neither');
select throws_ok(format('select tasker.pause_task(%L, repeat(%L, 1001))', (select c.task from cases as c limit 1), 'x'), 'TK413', 'the reason is longer than 1000 characters', 'a reason that is too long');
select throws_ok(format('select tasker.pause_task(%L, null, repeat(%L, 201))', (select c.task from cases as c limit 1), 'x'), 'TK413', 'the actor is longer than 200 characters', 'a name that is too long');
select throws_ok(format('set local role tasker_%s; select tasker.pause_task(null)', r), '42501', 'permission denied for function pause_task', r || 's pause no task')
  from unnest('{worker,reader}'::text[]) as r;
select is_empty('select tasker_test.changed_tables()', 'nothing is changed');

select * from finish();
rollback;
