begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.take_turn();
select from tasker.turns where name = 'maintenance' for update;
select tasker_test.register('late', 'a');
select tasker_test.create_task('late', p_start_at => tasker.clock() + interval '1 hour');
update tasker.maintenance_duties set last_finished_at = tasker.clock() + interval '2 hours', more_due = false;
select is_empty('select from tasker.do_duties()', 'no duty is due before the timer');
select tasker_test.pass('1 hour');
select is_empty('select from tasker.do_duties()', 'no duty is due when the timer is');
select is(tasker.get_current_task_state(tasker_test.the_task()), 'steps_in_process', 'the timer has started the task');

select * from finish();
rollback;
