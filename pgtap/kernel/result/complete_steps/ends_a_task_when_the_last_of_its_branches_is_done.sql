begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register('fork', 'root', 'a root', 'b root', 'c a');
select tasker_test.launch('fork') as first \gset
select tasker_test.launch('fork') as second \gset
create function pg_temp.finish(p_names text[]) returns text language sql as $$
  select string_agg(distinct a.answer::text, ',')
    from (
      select array_agg(s.workflow_step_uuid) as steps, array_agg(s.claim_no) as claim_nos
        from tasker.workflow_steps as s where s.name = any (p_names) and s.state = 'in_progress'
    ) as x
   cross join lateral tasker.complete_steps(x.steps, x.claim_nos) as a;
$$;
select from tasker_test.claim();
select is(pg_temp.finish('{root}'), 'completed', 'the results of both roots are accepted');
select from tasker_test.claim();
select is(pg_temp.finish('{a}'), 'completed', 'the result of one branch is accepted in both tasks');
select from tasker_test.claim();
select is(pg_temp.finish('{b,c}'), 'completed', 'the results of the other branches of both tasks are accepted in one call');
select results_eq(
  'select t.state::text, count(*) from tasker.tasks as t group by 1', $$ values ('complete', 2::bigint) $$, 'both tasks complete'
);
select is_empty(format('select tasker_test.violations(%L) union all select tasker_test.violations(%L)', :'first', :'second'), 'every invariant holds');

select * from finish();
rollback;
