begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.register('chain', 'a', 'b a', 'c b', 'd c', 'e a');
select tasker_test.launch('chain');
prepare result (text, text) as select r.step_no, r.name, r.results from tasker.get_ancestor_result(tasker_test.the_step($1), $2) as r;
select is_empty($$ execute result ('d', 'a') $$, 'no result before it has run');
select tasker_test.run('a', 'b', 'e');
select results_eq($$ execute result ('b', 'a') $$, $$ values (1, 'a', '{}'::jsonb) $$, 'a parent');
select results_eq($$ execute result ('d', 'a') $$, $$ values (1, 'a', '{}'::jsonb) $$, 'one three edges above');
select is_empty($$ execute result ('d', 'c') $$, 'a parent that has not succeeded');
select is_empty($$ execute result ('d', 'e') $$, 'a step that is not above');
select is_empty($$ execute result ('a', 'b') $$, 'a step below');
select is_empty($$ execute result ('d', 'x') $$, 'no such name');

select * from finish();
rollback;
