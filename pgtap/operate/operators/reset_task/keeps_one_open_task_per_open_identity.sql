begin;
select plan(14);

select tasker_test.freeze();
select from tasker.register_task_template('{"namespace": "shop", "name": "sync", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');

create function pg_temp.sync(p_scope text default 'open', p_ttl interval default null)
  returns uuid
  language sql
begin atomic
  select c.task_uuid from tasker.create_task('shop', 'sync', p_identity_key => 'k', p_identity_scope => p_scope, p_identity_ttl => p_ttl) as c;
end;
create function pg_temp.fail(p_task_uuid uuid)
  returns void
  language plpgsql
as $$
begin
  perform set_config('tasker_test.task', p_task_uuid::text, true);
  perform tasker.claim_steps('{shop}', gen_random_uuid());
  perform tasker_test.fail_for_good('a');
  perform tasker.give_up_task(p_task_uuid);
end;
$$;
create function pg_temp.open()
  returns uuid[]
  language sql
begin atomic
  select array_agg(t.task_uuid order by t.task_uuid) from tasker.tasks as t where not t.complete;
end;

select pg_temp.sync() as first \gset
select pg_temp.fail(:'first');
select pg_temp.sync() as second \gset
select throws_ok(
  format('select tasker.reset_task(%L)', :'first'), 'TK409',
  format('task %s cannot be reset: task %s has its identity and is open', :'first', :'second'), 'a failed task whose identity another open task has is not reset'
);
select throws_ok(
  format('select tasker.transition_task_state_atomic(%L, ''error'', ''pending'')', :'first'), 'TK409',
  format('task %s cannot be reset: task %s has its identity and is open', :'first', :'second'), 'a direct transition does not reset it, either'
);
select results_eq(
  $$ select r.task_uuid, r.outcome from tasker.reset_tasks('the bank is back', 'error') as r $$,
  format('values (%L::uuid, ''duplicate'')', :'first'), 'a reset of many leaves it out'
);
select tasker.create_dlq_entry(:'first', 'manual_dlq', 'odd') as entry \gset
select throws_ok(
  format('select tasker.requeue_dlq_entry(%L)', :'entry'), 'TK409',
  format('task %s cannot be reset: task %s has its identity and is open', :'first', :'second'), 'requeueing its dead letter does not reset it'
);
select results_eq(
  $$ select r.task_uuid, r.outcome from tasker.requeue_dlq_entries('the bank is back') as r $$,
  format('values (%L::uuid, ''duplicate'')', :'first'), 'nor does requeueing many'
);
select is(pg_temp.open(), array[:'second'::uuid], 'one task is open');

-- The other one ends: the identity leads to the first one again.
select pg_temp.fail(:'second');
select ok(tasker.reset_task(:'first'), 'the task is reset when the other one has ended');
select is(pg_temp.sync(), :'first'::uuid, 'a request finds the task that was reset');
select throws_ok(
  format('select tasker.reset_task(%L)', :'second'), 'TK409',
  format('task %s cannot be reset: task %s has its identity and is open', :'second', :'first'), 'the other one is not reset then'
);
select pg_temp.fail(:'first');
select results_eq(
  $$ select r.outcome from tasker.reset_tasks('the bank is back', 'error') as r order by r.task_uuid $$,
  $$ values ('reset'), ('duplicate') $$, 'of both failed ones, a reset of many opens one'
);
select is(cardinality(pg_temp.open()), 1, 'one task is open');

-- Periods may overlap what is reset.
select tasker.cancel_task(u) from unnest(pg_temp.open()) as u;
select pg_temp.sync('open') as third \gset
select pg_temp.fail(:'third');
update tasker.task_identities set expires_at = tasker.clock();
select isnt(pg_temp.sync('period', '1 hour'), :'third'::uuid, 'a new period has a new task');
select ok(tasker.reset_task(:'third'), 'a task of an earlier period is reset beside it');
select is_empty($$ select tasker_test.violations() $$, 'every invariant holds');

select * from finish();
rollback;
