begin;
select plan(6);

prepare entered(text, text, bigint, uuid[], integer[]) as
  insert into tasker.workers (worker_uuid, name, version, claimed_count, request_steps, request_claim_nos)
  values (gen_random_uuid(), $1, $2, $3, $4, $5);

select lives_ok('execute entered(repeat(''n'', 200), repeat(''1'', 100), 0, array[gen_random_uuid()], ''{1}'')', 'values within their bounds are kept');
select throws_ok(
  'execute entered('''', null, 0, null, null)', '23514',
  'value for domain tasker.worker_name violates check constraint "worker_name_check"', 'a worker has a name'
);
select throws_ok(
  'execute entered(repeat(''n'', 201), null, 0, null, null)', '23514',
  'value for domain tasker.worker_name violates check constraint "worker_name_check"', 'of at most 200 characters'
);
select throws_ok(
  'execute entered(''a'', repeat(''1'', 101), 0, null, null)', '23514',
  'value for domain tasker.worker_version violates check constraint "worker_version_check"', 'a version has at most 100 characters'
);
select throws_ok(
  'execute entered(''a'', null, -1, null, null)', '23514',
  'new row for relation "workers" violates check constraint "workers_row_check"', 'no worker has claimed fewer than no steps'
);
select throws_ok(
  'execute entered(''a'', null, 0, array[gen_random_uuid()], ''{1, 2}'')', '23514',
  'new row for relation "workers" violates check constraint "workers_row_check"', 'each step of a request has its claim number'
);

select * from finish();
rollback;
