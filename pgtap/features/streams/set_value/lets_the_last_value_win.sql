begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
prepare set_value (text, jsonb) as
  select a.answer::text, a.last_no from tasker.set_value(tasker_test.the_step('top'), 1, $1, $2) as a;
select results_eq($$ execute set_value ('rows', '5') $$, $$ values ('saved', 1::bigint) $$, 'the first value is change 1');
select results_eq($$ execute set_value ('rows', '6') $$, $$ values ('saved', 2::bigint) $$, 'another value is the next change');
select results_eq($$ execute set_value ('rows', '6') $$, $$ values ('saved', 2::bigint) $$, 'the same value changes nothing');
select results_eq($$ execute set_value ('rows', 'null') $$, $$ values ('saved', 3::bigint) $$, 'the JSON null is a value');
select results_eq($$ execute set_value ('none', 'null') $$, $$ values ('saved', 1::bigint) $$, 'also as the first one');
select results_eq(
  $$ select l.step_name, l.name, l.value, l.last_no, l.attempt from tasker.list_streams(tasker_test.the_task()) as l $$,
  $$ values ('top', 'none', 'null'::jsonb, 1::bigint, 1), ('top', 'rows', 'null', 3, 1) $$, 'a reader finds the last value'
);
select tasker_test.complete('top');
select results_eq($$ execute set_value ('rows', '7') $$, $$ values ('stale', null::bigint) $$, 'a step that is complete sets no value');
select is((select count(*) from tasker.list_streams(tasker_test.the_task())), 2::bigint, 'its values stay');
select is_empty($$ select tasker.check_integrity() $$, 'no problem is found');

select * from finish();
rollback;
