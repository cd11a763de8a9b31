begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker.resolve_step_manually(tasker_test.the_step(u.name)) from unnest('{top, left, right, bottom}'::text[]) as u (name);

select tasker_test.remember_rows();
select is(tasker.resolve_step_manually(tasker_test.the_step('bottom')), false, 'a repeat of the call that ended the task returns false');
select is_empty('select tasker_test.changed_tables()', 'the repeat changes no table');

select * from finish();
rollback;
