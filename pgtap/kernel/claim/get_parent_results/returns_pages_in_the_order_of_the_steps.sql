begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register('join', 'a', 'b', 'c', 'd', 'e', 'end a b c d e');
select tasker_test.launch('join');
select from tasker_test.claim();
select tasker_test.complete(u.name, to_jsonb(u.name)) from unnest('{e,c,a}'::text[]) as u (name);
select tasker_test.fail('b', 'no', true);
prepare page (integer, integer) as select r.step_no, r.name, r.results from tasker.get_parent_results(tasker_test.the_step('end'), $1, $2) as r;
select results_eq('execute page (0, 2)', $$ values (1, 'a', '"a"'::jsonb), (3, 'c', '"c"') $$, 'the first page has the parents that succeeded');
select results_eq('execute page (3, 2)', $$ values (5, 'e', '"e"'::jsonb) $$, 'the next page begins after the last row');
select is_empty('execute page (5, 2)', 'the last page is empty');
select results_eq('execute page (null, 1)', $$ values (1, 'a', '"a"'::jsonb) $$, 'a null position is the beginning');
select tasker.resolve_step_manually(tasker_test.the_step('b'), 'me', 'seen to');
select results_eq('execute page (1, 1)', $$ values (2, 'b', null::jsonb) $$, 'a parent that was resolved by hand is returned without a result');
select is_empty($$ select from tasker.get_parent_results(tasker_test.the_step('a')) $$, 'a root has no parents');

select * from finish();
rollback;
