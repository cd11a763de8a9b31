begin;
select plan(2);

select tasker_test.register_echo('{"key_concurrency_limit": 1}');
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[20]), p_limit_keys => array_fill('b'::text, array[20]));
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[2]), p_limit_keys => array_fill('a'::text, array[2]));
select tasker_test.claim_echo(1);
select tasker_test.buffers($$ select * from tasker_test.claim_echo(1) $$);
create temporary table cost (buffers) as select tasker_test.buffers($$ select * from tasker_test.claim_echo(1) $$);

-- Add tasks of both keys, before and after those that a claim takes.
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[5000]), p_limit_keys => array_fill('a'::text, array[5000]));
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[5000]), p_limit_keys => array_fill('b'::text, array[5000]));
select tasker_test.buffers($$ select * from tasker_test.claim_echo(1) $$);
select ok(
  tasker_test.buffers($$ select * from tasker_test.claim_echo(1) $$) <= (select c.buffers + 15 from cost as c),
  'a claim costs the same beside 10,000 tasks of keys that are at their limit'
);
analyze tasklib.tasks;
select tasker_test.buffers($$ select * from tasker_test.claim_echo(1) $$);
select ok(
  tasker_test.buffers($$ select * from tasker_test.claim_echo(1) $$) <= (select c.buffers + 15 from cost as c),
  'a claim costs the same after analyze'
);

select * from finish();
rollback;
