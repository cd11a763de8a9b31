begin;
select plan(3);

select is_empty($$ select from tasker.complete_steps('{}', '{}') $$, 'empty arrays have no answers');
select is_empty($$ select from tasker.complete_steps(null, null) $$, 'null arrays have no answers');
select is_empty($$ select from tasker.complete_steps('{}', null, '{}', '{}') $$, 'a mixture of null and empty arrays has no answers');

select * from finish();
rollback;
