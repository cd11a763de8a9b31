begin;
select plan(11);

select tasker_test.freeze();
select tasker_test.create_waiting('once', '[{"name": "a", "retry": {"max_attempts": 1}}, {"name": "b", "dependencies": ["a"]}]', '{"on_failure": "fail"}');
select c.step_uuid as step, c.claim_no as claim from tasker_test.claim() as c \gset
select tasker.pause_task(tasker_test.the_task());
select tasker.fail_steps(array[:'step'::uuid], array[:claim], '{broken}', '{true}');
select is((select t.state || ' ' || t.paused from tasker.get_task(tasker_test.the_task()) as t), 'error false', 'a task that fails is no longer paused');
select throws_ok(format('select tasker.pause_task(%L)', tasker_test.the_task()), 'TK409', format('task %s has ended: it is error', tasker_test.the_task()), 'and is not paused again');
select throws_ok(format('select tasker.resume_task(%L)', tasker_test.the_task()), 'TK409', format('task %s has ended: it is error', tasker_test.the_task()), 'nor resumed');
select ok(tasker.reset_task(tasker_test.the_task()), 'a reset');
select is((select count(*) from tasker_test.claim()), 1::bigint, 'runs it');

-- A paused task is cancelled, and a deadline passes.
select c.task_uuid as late from tasker.create_task('test', 'once', '{}', p_deadline => tasker.clock() + interval '1 minute') as c \gset
select tasker.pause_task(:'late');
select tasker_test.pass('2 minutes');
select tasker.fire_due_timers();
select is((select t.state || ' ' || t.paused from tasker.get_task(:'late') as t), 'error false', 'a deadline ends a paused task');
select ok(tasker.cancel_task(tasker_test.the_task()), 'a paused task is cancelled');

-- What was done is undone while the task is paused.
select tasker_test.create_undoable('trip', '{hotel!,flight hotel}');
select tasker_test.run('hotel');
select tasker.pause_task(tasker_test.the_task());
select tasker.cancel_task(tasker_test.the_task());
select tasker.fire_due_timers();
select is((select count(*) from tasker_test.claim() as c where c.name like '%hotel%'), 1::bigint, 'its compensation runs at once');
select throws_ok(format('select tasker.resume_task(%L)', tasker_test.the_task()), 'TK409', format('task %s is being undone', tasker_test.the_task()), 'nothing is paused or resumed then');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
