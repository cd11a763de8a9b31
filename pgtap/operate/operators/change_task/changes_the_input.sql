begin;
select plan(18);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.take_turn();
select tasker.register_task_template('{
  "namespace": "test", "name": "order", "identity_strategy": "caller_provided", "runs": {"key": "$.customer"},
  "input_schema": {"type": "object", "required": ["customer"], "properties": {"price": {"type": "number"}}},
  "steps": [{"name": "book", "limit": "stripe", "limit_key": "$.bank"}, {"name": "each", "for_each": "$.lines", "dependencies": ["book"]}, {"name": "tell", "dependencies": ["each"]}]
}');
select tasker.set_limit('test', 'stripe', 5);
select c.task_uuid as task from tasker.create_task('test', 'order', '{"customer": 7, "bank": "a", "price": 1, "lines": [1, 2]}', p_identity_key => 'k') as c \gset
select set_config('tasker_test.task', :'task', true);
select throws_ok(format($$ select tasker.change_task(%L, p_context => '{"customer": 7}') $$, :'task'), 'TK422', 'the reason is missing', 'a new context needs a reason');
select throws_ok(format($$ select tasker.change_task(%L, p_context => '{"price": 1}', p_reason => 'x') $$, :'task'), 'TK422', 'task "test/order": context.customer is missing', 'it fits the schema of the template');
select throws_ok(format($$ select tasker.change_task(%L, p_context => '[]', p_reason => 'x') $$, :'task'), 'TK422', 'context of task "test/order" is not a JSON object', 'it is an object');
select throws_ok(format($$ select tasker.change_task(%L, p_context => jsonb_build_object('customer', repeat('x', 20000000)), p_reason => 'x') $$, :'task'), 'TK413', 'context of task "test/order" is too large', 'it is small enough');
select throws_ok(format($$ select tasker.change_task(%L, p_context => '{"customer": 8, "bank": "a"}', p_reason => 'x') $$, :'task'), 'TK409', format('the context of task %s cannot be changed so', :'task'), 'the key of its runs stays');
select throws_ok(format($$ select tasker.change_task(%L, p_context => '{"customer": 7, "bank": "b"}', p_reason => 'x') $$, :'task'), 'TK409', format('the context of task %s cannot be changed so', :'task'), 'the keys of its limits stay');
select c.step_uuid as book, c.claim_no as claim from tasker_test.claim() as c \gset
select ok(tasker.change_task(:'task', p_context => '{"customer": 7, "bank": "a", "price": 2, "lines": [1, 2, 3]}', p_reason => 'the price was wrong', p_actor => 'ann'), 'a context that has them is taken');
select ok(not tasker.change_task(:'task', p_context => '{"customer": 7, "bank": "a", "price": 2, "lines": [1, 2, 3]}', p_reason => 'again'), 'once');
select is((select t.context ->> 'price' from tasker.get_task(:'task') as t), '2', 'the task has it');
select results_eq(
  format('select l.actor, l.reason, l.was, l.becomes from tasker.list_administration(%L, %L) as l', 'tasks', :'task'),
  $$ values ('ann', 'the price was wrong', null::jsonb, '{"context": "changed"}'::jsonb) $$, 'the log of administration has the reason, and no data'
);
select is((select c.created from tasker.create_task('test', 'order', '{"customer": 7, "bank": "a", "price": 2, "lines": [1, 2, 3]}', p_identity_key => 'k') as c), false, 'its identity is the same key');
select tasker.complete_steps(array[:'book'::uuid], array[:claim]);
select tasker.fire_due_timers();
select is((select count(*) from tasker.step_queue as q where q.task_uuid = :'task'), 3::bigint, 'a map that begins later runs over the new array');
select is((select c.context ->> 'price' from tasker.claim_steps('{test}', tasker_test.worker(), 1) as c), '2', 'and its steps get the new context');
select throws_ok(format($$ select tasker.change_task(%L, p_context => '{"customer": 7, "bank": "a", "lines": [1]}', p_reason => 'x') $$, :'task'), 'TK409', format('the context of task %s cannot be changed so', :'task'), 'a map that has begun keeps its array');
select ok(tasker.change_task(:'task', p_context => '{"customer": 7, "bank": "b", "lines": [1, 2, 3]}', p_reason => 'x'), 'the key of a limit of a step that has ended may change');
select tasker.cancel_task(:'task');
select tasker.fire_due_timers();
select tasker.erase_task(:'task', 'asked');
select throws_ok(format($$ select tasker.change_task(%L, p_context => '{"customer": 7}', p_reason => 'x') $$, :'task'), 'TK409', format('task %s has ended: it is cancelled', :'task'), 'an erased task gets no data');
select is_empty(format('select from tasker.administration_log as l where l.object = %L and l.reason = %L', :'task', 'the price was wrong'), 'its reasons are erased');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
