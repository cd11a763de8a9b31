begin;
select plan(29);

select tasker_test.freeze();
select tasker_test.register_as('diamond', '{}', 'top');
select tasker.register_task_template(
  '{"namespace": "test", "name": "keyed", "identity_strategy": "caller_provided", "steps": [{"name": "top"}]}'
);
select tasker.ensure_task_queue('orchestration_task_requests');
create temporary table cases (no serial, message jsonb, code text, error text);
insert into cases (message, code, error) values
  ('[]',                                                                   'TK422', 'a task request is not a JSON object'),
  ('null',                                                                 'TK422', 'a task request is not a JSON object'),
  ('"diamond"',                                                            'TK422', 'a task request is not a JSON object'),
  ('{}',                                                                   'TK404', null),
  ('{"namespace": "test", "name": "diamond", "context": {"no": 1}}',       null,    null),
  ('{"namespace": "nowhere", "name": "diamond"}',                          'TK404', null),
  ('{"namespace": "test", "name": "unknown"}',                             'TK404', null),
  ('{"namespace": "test", "name": "diamond", "version": "9"}',             'TK404', null),
  ('{"namespace": "test", "name": "diamond", "p_context": {}}',            'TK422', 'a task request has no field "p_context"'),
  ('{"namespace": "test", "name": "diamond", "context": []}',              'TK422', 'context of task "test/diamond" is not a JSON object'),
  ('{"namespace": "test", "name": "diamond", "identity_key": "x"}',        'TK422', null),
  ('{"namespace": "test", "name": "keyed"}',                               'TK422', null),
  ('{"namespace": "test", "name": "diamond", "task_uuid": "one"}',         '22P02', 'invalid input syntax for type uuid: "one"'),
  ('{"namespace": "test", "name": "diamond", "priority": "high"}',         '22P02', 'invalid input syntax for type integer: "high"'),
  ('{"namespace": "test", "name": "diamond", "priority": 99999999999}',    '22003', 'value "99999999999" is out of range for type integer'),
  ('{"namespace": "test", "name": "diamond", "deadline": "some day"}',     '22007', null),
  ('{"namespace": "test", "name": "diamond", "tags": "red"}',              '22023', null),
  ('{"namespace": "test", "name": "diamond", "deferred": "maybe"}',        '22P02', null),
  ('{"namespace": "''; drop table tasker.tasks; --", "name": "diamond"}',  'TK404', null),
  ('{"namespace": "test", "name": "diamond", "context": {"no": 2}}',       null,    null);
select pgmq.send('orchestration_task_requests', c.message) from cases as c order by c.no;

select is(tasker.process_task_requests(), 2, 'the valid messages create their tasks');
select is_empty($$ select from tasker.peek_queue('orchestration_task_requests') $$, 'no message is left');
select is(
  r.message - 'error', jsonb_build_object('request', c.message, 'code', c.code, 'rejected_at', tasker.clock()),
  format('%s: rejected with the request and the code', left(c.message::text, 60))
)
  from cases as c
  left join tasker.peek_queue('orchestration_task_requests_rejected', 100) as r on r.message -> 'request' = c.message
 where c.code is not null
 order by c.no;
select is(r.message ->> 'error', c.error, format('%s: and the error', left(c.message::text, 60)))
  from cases as c
  left join tasker.peek_queue('orchestration_task_requests_rejected', 100) as r on r.message -> 'request' = c.message
 where c.error is not null
 order by c.no;
select is_empty(
  $$
  select r.message
    from tasker.peek_queue('orchestration_task_requests_rejected', 100) as r
   where coalesce(r.message ->> 'error', '') = ''
  $$,
  'each rejected message has an error'
);

select * from finish();
rollback;
