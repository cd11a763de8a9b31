begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.register_diamond();
select c.task_uuid as task from tasker.create_task('test', 'diamond', '{}') as c \gset
select substr(:'task', 25, 8) as short_id \gset
create role tap_bound in role tasker_operator;
select tasker.register_namespace('other');
select tasker.bind_role('tap_bound', '{other}');

set local role tap_bound;
select is_empty(format('select from tasker.find_tasks_by_short_id(%L)', :'short_id'), 'a bound role does not find a task of another namespace');
reset role;
select tasker.bind_role('tap_bound', '{test}');
set local role tap_bound;
select isnt_empty(format('select from tasker.find_tasks_by_short_id(%L)', :'short_id'), 'a bound role finds a task of its namespace');
reset role;

select * from finish();
rollback;
