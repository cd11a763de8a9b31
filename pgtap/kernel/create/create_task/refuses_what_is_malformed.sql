begin;
select plan(18);

select tasker_test.take_turn();

select tasker_test.register_diamond();
select throws_ok(
  $$ select tasker.create_task('test', 'diamond', '[1]') $$, 'TK422', 'context of task "test/diamond" is not a JSON object', 'an array is refused'
);
select throws_ok(
  $$ select tasker.create_task('test', 'diamond', 'null') $$, 'TK422', 'context of task "test/diamond" is not a JSON object', 'JSON null is refused'
);
select tasker.set_setting('context_bytes', '20');
select throws_ok(
  $$ select tasker.create_task('test', 'diamond', '{"a": "0123456789012"}') $$, 'TK413', 'context of task "test/diamond" is too large', 'a context that is a byte too large is refused'
);
select throws_ok($$ select tasker.create_task('test', 'diamond', p_priority => 1001) $$, 'TK422', 'priority 1001 is not between -1000 and 1000', 'a priority out of range is refused');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_tags => '{""}') $$, 'TK422', 'the tags of a task are at most 100 texts of 1 to 200 characters', 'an empty tag is refused');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_tags => '{null}') $$, 'TK422', 'the tags of a task are at most 100 texts of 1 to 200 characters', 'a null tag is refused');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_initiator => repeat('x', 1001)) $$, 'TK422', 'initiator, source system or reason is longer than 1,000 characters', 'an initiator that is too long is refused');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_initiator => 'x', p_source_system => repeat('x', 1001)) $$, 'TK422', 'initiator, source system or reason is longer than 1,000 characters', 'a source system that is too long is refused beside a short initiator');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_initiator => 'x', p_reason => repeat('x', 1001)) $$, 'TK422', 'initiator, source system or reason is longer than 1,000 characters', 'a reason that is too long is refused beside a short initiator');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_headers => '[]') $$, 'TK422', 'the headers of a task are not a JSON object', 'headers that are not an object are refused');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_headers => jsonb_build_object('a', repeat('x', 16376))) $$, 'TK413', 'the headers of a task are larger than 16,384 bytes', 'headers that are a byte too large are refused');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_deadline => tasker.clock()) $$, 'TK422', 'the deadline of a task is not after now and after its start', 'a deadline that has passed is refused');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_deadline => '2998-01-01', p_start_at => '2999-01-01') $$, 'TK422', 'the deadline of a task is not after now and after its start', 'a deadline before the start is refused');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_start_at => 'infinity') $$, 'TK422', 'the deadline of a task is not after now and after its start', 'an infinite start is refused');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_identity_ttl => '1001 years') $$, 'TK422', 'the identity''s time to live cannot be 1001 years', 'an identity that lasts longer than a thousand years is refused');
select throws_ok($$ select tasker.create_task('test', 'diamond', p_identity_ttl => '-1001 years') $$, 'TK422', 'the identity''s time to live cannot be -1001 years', 'an identity that ends before any time is refused');
savepoint largest;
select tasker.set_setting('context_bytes', '1000');
select lives_ok($$ select tasker.create_task('test', 'diamond', p_headers => jsonb_build_object('a', repeat('x', 16375))) $$, 'headers of 16,384 bytes are accepted');
rollback to largest;
select is_empty(
  $$ select from tasker.tasks as t join tasker.named_tasks as k on k.named_task_uuid = t.named_task_uuid where k.name = 'diamond' $$,
  'no task is left behind'
);

select * from finish();
rollback;
