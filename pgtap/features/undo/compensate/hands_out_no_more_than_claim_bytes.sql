begin;
select plan(9);

select tasker_test.freeze();
select tasker.set_setting('claim_bytes', '4096');
create function pg_temp.make(p_name text, p_bytes integer) returns void language sql as $$
  select tasker_test.create_undoable(p_name, '{A!,B!,"C A"}');
  select tasker_test.claim('A', 'B');
  select tasker_test.finish('A', jsonb_build_object('text', repeat('x', p_bytes)));
  select tasker_test.finish('B', '{"b": 1}');
  select tasker.cancel_task(tasker_test.the_task());
  select tasker_test.undo();
$$;
create function pg_temp.claims() returns setof tasker.claimed_steps language sql as $$
  select c.*
    from tasker.claim_steps('{test}', tasker_test.worker(), 10) as c
   where c.task_uuid = tasker_test.the_task();
$$;

select pg_temp.make('small', 1000);
select results_eq(
  $$ select c.name, c.inputs ? 'result', c.inputs ? 'result_omitted' from pg_temp.claims() as c order by 1 $$,
  $$ values ('undo A', true, false), ('undo B', true, false) $$, 'each compensation has its share of claim_bytes, 2,048 bytes'
);
select pg_temp.make('large', 3000);
select results_eq(
  $$ select c.name, c.inputs ->> 'result', c.inputs ->> 'result_omitted' from pg_temp.claims() as c order by 1 $$,
  $$ values ('undo A', null, 'true'), ('undo B', '{"b": 1}', null) $$, 'a result that is too large is left out, and the inputs say so'
);
select results_eq(
  $$ select r.step_no, r.name, length(r.results ->> 'text'), r.map from tasker.get_parent_results(tasker_test.the_step('undo A')) as r $$,
  $$ values (1, 'A', 3000, null::text) $$, 'get_parent_results returns the omitted result'
);
select is_empty($$ select from tasker.get_parent_results(tasker_test.the_step('undo A'), 1) $$, 'get_parent_results has no second page');

select pg_temp.make('alone', 3000);
select is((select length(c.inputs -> 'result' ->> 'text') from tasker.claim_step(tasker_test.the_step('undo A'), tasker_test.worker()) as c), 3000, 'claim_step returns the result of a step that is claimed alone');
select pg_temp.make('huge', 5000);
select is(
  (select c.inputs - 'step_uuid' from tasker.claim_step(tasker_test.the_step('undo A'), tasker_test.worker()) as c),
  '{"step": "A", "initialization": {}, "result_omitted": true}'::jsonb, 'claim_step leaves out a result that is larger than claim_bytes'
);
select is((select max(octet_length(s.inputs::text)) < 200 from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task()), true, 'the result is not copied to the compensation''s row');

-- A step without a result has none to fetch.
select tasker_test.create_undoable('unknown', '{A!}', '{"on_failure": "fail"}');
select tasker_test.claim('A');
select tasker_test.fail_for_good('A');
select tasker_test.undo();
select is((select c.inputs - 'step_uuid' from pg_temp.claims() as c), '{"step": "A", "initialization": {}, "result_unknown": true}'::jsonb, 'an unknown result is marked as unknown');
select is_empty($$ select from tasker.get_parent_results(tasker_test.the_step('undo A')) $$, 'get_parent_results returns no row for an unknown result');

select * from finish();
rollback;
