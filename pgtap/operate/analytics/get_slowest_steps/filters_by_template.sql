begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.make_task_in('complete');
select tasker.refresh_analytics();
select is((select count(*) from tasker.get_slowest_steps()), 4::bigint, 'it returns all steps without a filter');
select is((select count(*) from tasker.get_slowest_steps(p_limit => 2)), 2::bigint, 'it returns no more rows than the limit');
select is((select count(*) from tasker.get_slowest_steps(null, null, 'test', 'diamond', '0.1.0')), 4::bigint, 'it filters by template');
select is_empty($$ select from tasker.get_slowest_steps(null, null, 'elsewhere') $$, 'it returns no row for an unknown namespace');
select is_empty($$ select from tasker.get_slowest_steps(tasker.clock() + interval '1 minute') $$, 'it returns no row for a period in the future');
select throws_ok($$ select tasker.get_slowest_steps('-infinity') $$, 'TK422', 'a report cannot begin at infinity', 'a period from -infinity is refused');

select * from finish();
rollback;
