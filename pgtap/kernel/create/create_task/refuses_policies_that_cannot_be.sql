begin;
select plan(15);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "keyed", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');
create function pg_temp.refused(p_arguments text, p_message text, p_code text default 'TK422') returns text language sql as $$
  select throws_ok(format('select tasker.create_task(''test'', ''keyed'', %s)', p_arguments), p_code, p_message, left(p_arguments, 100));
$$;
select pg_temp.refused($$ p_identity_key => 'k', p_identity_scope => 'once' $$, 'the identity scope of a task cannot be "once"');
select pg_temp.refused($$ p_identity_key => 'k', p_identity_scope => 'period' $$, 'the identity scope of a task cannot be "period"');
select pg_temp.refused($$ p_identity_key => 'k', p_identity_scope => 'open', p_identity_ttl => '1 day' $$, 'the identity scope of a task cannot be "open" with a time to live');
select pg_temp.refused($$ p_identity_key => 'k', p_debounce_seconds => 0 $$, 'a task cannot be debounced like this');
select pg_temp.refused($$ p_identity_key => 'k', p_debounce_longest_seconds => 5 $$, 'a task cannot be debounced like this');
select pg_temp.refused($$ p_identity_key => 'k', p_debounce_seconds => 5, p_debounce_longest_seconds => 4 $$, 'a task cannot be debounced like this');
select pg_temp.refused($$ p_debounce_seconds => 5 $$, 'a debounced task needs an identity key, and no start or identity scope of its own');
select pg_temp.refused($$ p_identity_key => '', p_debounce_seconds => 5 $$, 'a debounced task needs an identity key, and no start or identity scope of its own');
select pg_temp.refused($$ p_identity_key => 'k', p_debounce_seconds => 5, p_start_at => now() $$, 'a debounced task needs an identity key, and no start or identity scope of its own');
select pg_temp.refused($$ p_identity_key => 'k', p_debounce_seconds => 5, p_deferred => true $$, 'a debounced task needs an identity key, and no start or identity scope of its own');
select pg_temp.refused($$ p_identity_key => 'k', p_throttle_limit => 5 $$, 'the creation of tasks cannot be throttled like this');
select pg_temp.refused($$ p_identity_key => 'k', p_throttle_limit => 0, p_throttle_seconds => 1 $$, 'the creation of tasks cannot be throttled like this');
select pg_temp.refused($$ p_identity_key => 'k', p_throttle_key => 'x' $$, 'the creation of tasks cannot be throttled like this');
select pg_temp.refused($$ p_identity_key => 'k', p_throttle_limit => 1, p_throttle_seconds => 1, p_throttle_key => repeat('x', 1001) $$, 'the throttle''s key is longer than 1000 characters', 'TK413');
select is_empty('select from tasker.tasks', 'no task is left behind');

select * from finish();
rollback;
