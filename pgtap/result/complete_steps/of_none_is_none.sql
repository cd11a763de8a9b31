begin;
select plan(3);

select is_empty($$ select from tasker.complete_steps('{}', '{}') $$, 'no steps, no answers');
select is_empty($$ select from tasker.complete_steps(null, null) $$, 'null is none');
select is_empty($$ select from tasker.complete_steps('{}', null, '{}', '{}') $$, 'in any mixture');

select * from finish();
rollback;
