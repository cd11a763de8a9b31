begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.register('chain', 'a', 'b a', 'c b', 'd c', 'e a');
select tasker_test.launch('chain');
prepare result (text, text) as select r.step_no, r.name, r.results from tasker.get_ancestor_result(tasker_test.the_step($1), $2) as r;
select is_empty($$ execute result ('d', 'a') $$, 'a step that has not run has no result');
select tasker_test.run('a', 'b', 'e');
select results_eq($$ execute result ('b', 'a') $$, $$ values (1, 'a', '{}'::jsonb) $$, 'the result of a parent is found');
select results_eq($$ execute result ('d', 'a') $$, $$ values (1, 'a', '{}'::jsonb) $$, 'the result of a step three edges above is found');
select is_empty($$ execute result ('d', 'c') $$, 'a parent that has not succeeded has no result');
select is_empty($$ execute result ('d', 'e') $$, 'a step that is not an ancestor is not found');
select is_empty($$ execute result ('a', 'b') $$, 'a descendant is not found');
select is_empty($$ execute result ('d', 'x') $$, 'an unknown name is not found');

select * from finish();
rollback;
