begin;
select plan(6);

select tasker_test.freeze();
prepare versions as select w.version from tasker.list_workers() as w;
select tasker.register_worker(tasker_test.worker(), 'a', p_version => '1.4.2');
select results_eq('execute versions', $$ values ('1.4.2') $$, 'lists show the version that the program says');
select tasker.attend(jsonb_build_object('worker_uuid', tasker_test.worker(), 'name', 'a', 'version', '1.5.0'));
select results_eq('execute versions', $$ values ('1.5.0') $$, 'a direct client says it by attend');
select tasker.register_worker(tasker_test.worker(), 'a', p_version => '');
select results_eq('execute versions', $$ values (null::text) $$, 'an empty version is none');
select throws_ok(
  $$ select tasker.register_worker(tasker_test.worker(), 'a', p_version => repeat('1', 101)) $$,
  'TK413', 'the version of a worker is longer than 100 characters', 'a version of more than 100 characters is refused'
);
select throws_ok(
  $$ select tasker.register_worker(tasker_test.worker(), 'a', p_version => E'1.4\n2') $$,
  'TK422', 'the version of a worker has a line break or another control character', 'so is one of two lines'
);
select tasker.register_worker(tasker_test.worker(), 'a', p_version => '1.5.0');
select tasker_test.register('order', 'charge');
select tasker_test.launch('order');
select from tasker_test.claim(1);
select results_eq(
  $$ select w.version::text from tasker.step_log as l join tasker.workers as w on w.worker_uuid = l.worker_uuid where l.claim_no = 1 $$, $$ values ('1.5.0') $$,
  'the log of a claim leads to the version'
);

select * from finish();
rollback;
