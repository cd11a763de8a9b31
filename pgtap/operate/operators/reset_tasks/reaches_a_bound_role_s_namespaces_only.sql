begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.fail_for_good('top');
create role tap_bound in role tasker_operator;
select tasker.register_namespace('other');
select tasker.bind_role('tap_bound', '{other}');
set local role tap_bound;
select is_empty($$ select from tasker.reset_tasks('x') $$, 'a bound role finds no task of another namespace');
reset role;
select is(tasker_test.states(), 'blocked_by_failures: top=error left=pending right=pending bottom=pending', 'the task of the other namespace is unchanged');

select * from finish();
rollback;
