-- Rows of other handlers, running ones and ones that are hidden: a claim walks past each group in one look.
begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.register('mine', 'mine');
select tasker_test.register('other', 'other');
select tasker_test.launch('mine');
select tasker_test.launch('mine');
select tasker_test.launch('mine');
select from tasker.claim_steps('{test}', tasker_test.worker(), 1, null, '{mine}');
select tasker_test.buffers($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1, null, '{mine}') $$) as before \gset

select count(*) from tasker.create_tasks('test', 'other', array(select jsonb_build_object('n', n) from generate_series(1, 6000) as n));
select count(*) from generate_series(1, 3) as n cross join lateral tasker.claim_steps('{test}', tasker_test.worker(2), 1000 + 0 * n, null, '{other}');
select cmp_ok(
  tasker_test.buffers($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1, null, '{mine}') $$),
  '<', :before + 300::bigint, 'a claim reads no more behind 3,000 ready and 3,000 running steps of another handler'
);
select is_empty($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 1, null, '{mine}') $$, 'that claim took the last step');

select * from finish();
rollback;
