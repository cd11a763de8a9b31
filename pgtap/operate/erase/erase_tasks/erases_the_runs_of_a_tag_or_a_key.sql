begin;
select plan(11);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select from generate_series(1, 3) as g (n), tasker.create_task('test', 'one', jsonb_build_object('n', g.n), p_tags => array['customer:42']);
select from tasker.create_task('test', 'one', '{"n": 4}', p_tags => '{other}');
select tasker_test.register_as('keyed', '{"identity_strategy": "caller_provided"}', 'a');
select from tasker.create_task('test', 'keyed', '{"n": 5}', p_identity_key => 'order-5');
select tasker_test.pass('1 second');
select from tasker.create_task('test', 'one', '{"n": 6}', p_tags => '{customer:42}');
select tasker.cancel_task(t.task_uuid) from tasker.tasks as t where t.context ->> 'n' <> '6';
select results_eq(
  $$ select e.outcome, count(*) from tasker.erase_tasks('x', '{customer:42}', p_dry_run => true) as e group by 1 order by 1 $$,
  $$ values ('matched', 3::bigint), ('open', 1) $$, 'a dry run says what would be erased, and what is open'
);
select is((select count(*) from tasker.tasks as t where t.erased_at is not null), 0::bigint, 'it erases nothing');
create temporary table first as select e.* from tasker.erase_tasks('x', '{customer:42}', p_limit => 2) as e;
select is((select array_agg(f.outcome) from first as f), '{erased,erased}', 'a batch erases as many as it may');
select results_eq(
  $$ select e.outcome from tasker.erase_tasks('x', '{customer:42}', p_after => (select max(f.root_uuid::text)::uuid from first as f)) as e order by 1 $$,
  $$ values ('erased'), ('open') $$, 'the next one erases the rest, and says what is open'
);
select results_eq($$ select e.outcome from tasker.erase_tasks('x', '{customer:42}') as e $$, $$ values ('open') $$, 'a repeat finds what is left');
select results_eq($$ select e.outcome from tasker.erase_tasks('x', p_key => 'order-5') as e $$, $$ values ('erased') $$, 'a key finds its run');
select is((select array_agg(t.context ->> 'n' order by t.context ->> 'n') from tasker.tasks as t where t.erased_at is null), '{4,6}', 'the others are as they were');
select throws_ok($$ select tasker.erase_tasks('x') $$, 'TK422', 'nothing says which tasks to erase', 'a call without a filter is refused');
select throws_ok($$ select tasker.erase_tasks('x', '{}') $$, 'TK422', 'nothing says which tasks to erase', 'so is one without a tag');
select throws_ok($$ select tasker.erase_tasks(null, '{a}') $$, 'TK422', 'the reason is missing', 'so is one without a reason');
select is_empty($$ select tasker.check_integrity() $$, 'nothing is wrong afterwards');

select * from finish();
rollback;
