begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.make_task_in('complete');
select tasker.refresh_analytics();
select is((select count(*) from tasker.get_slowest_steps()), 4::bigint, 'all');
select is((select count(*) from tasker.get_slowest_steps(p_limit => 2)), 2::bigint, 'as many as asked for');
select is((select count(*) from tasker.get_slowest_steps(null, null, 'test', 'diamond', '0.1.0')), 4::bigint, 'of a template');
select is_empty($$ select from tasker.get_slowest_steps(null, null, 'elsewhere') $$, 'of no namespace');
select is_empty($$ select from tasker.get_slowest_steps(tasker.clock() + interval '1 minute') $$, 'not yet');
select throws_ok($$ select tasker.get_slowest_steps('-infinity') $$, 'TK422', 'a report cannot begin at infinity', 'not for ever');

select * from finish();
rollback;
