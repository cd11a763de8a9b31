begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b', 'c', 'd a');
select tasker_test.launch('wide');
select is(
  (select jsonb_agg(c - 'context' order by o) from jsonb_array_elements(tasker.exchange(jsonb_build_object(
    'worker_uuid', tasker_test.worker(), 'namespaces', '{test}'::text[], 'limit', 2, 'request_uuid', tasker_test.worker(7)
  ))::jsonb -> 'claimed') with ordinality as x (c, o)),
  (select jsonb_agg(to_jsonb(e) - '{answer,next_retry_at,context}'::text[]) from tasker.exchange_steps(
    tasker_test.worker(), p_namespaces => '{test}', p_limit => 2, p_request_uuid => tasker_test.worker(7)
  ) as e),
  'a claim has the fields of a row of exchange_steps, and is repeated for its request'
);

create temporary table reply as
  select tasker.exchange(jsonb_build_object(
    'worker_uuid', tasker_test.worker(), 'namespaces', '{test}'::text[], 'limit', 5, 'results', jsonb_build_array(
      jsonb_build_object('step_uuid', tasker_test.the_step('b'), 'claim_no', 1, 'error', 'no', 'result', 'not looked at'),
      jsonb_build_object('step_uuid', tasker_test.the_step('a'), 'claim_no', 1, 'result', '{"n": 12345678901234567890}'::jsonb, 'execution_time_ms', -5)
    )
  ))::jsonb as r;
select is(
  (select jsonb_agg(a - 'next_retry_at') from reply, jsonb_array_elements(r -> 'answers') as a),
  jsonb_build_array(
    jsonb_build_object('step_uuid', tasker_test.the_step('b'), 'claim_no', 1, 'answer', 'retrying'),
    jsonb_build_object('step_uuid', tasker_test.the_step('a'), 'claim_no', 1, 'answer', 'completed')
  ), 'the answers come in the order of the results'
);
select is((select r #>> '{answers,0,next_retry_at}' is not null from reply), true, 'a failure has the time of its next attempt');
select is(
  (select jsonb_agg(c -> 'parent_results' order by c ->> 'name') from reply, jsonb_array_elements(r -> 'claimed') as c),
  '[{}, {"a": {"n": 12345678901234567890}}]', 'the claim has the result of the same call'
);
select is(
  tasker.exchange(jsonb_build_object('worker_uuid', tasker_test.worker()))::jsonb, '{"answers": [], "claimed": []}',
  'a request without results and limit does nothing'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
