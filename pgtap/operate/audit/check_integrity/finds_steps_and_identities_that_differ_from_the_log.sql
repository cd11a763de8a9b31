begin;
select plan(16);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker_test.the_task() as task \gset
select from tasker.fail_steps(array[tasker.step_uuid(:'task', 3)], array[tasker_test.claim_no('right')], '{the bank is away}');
select is_empty('select * from tasker.check_integrity()', 'nothing before a change');

create function pg_temp.found(p_change text) returns text language plpgsql as $$
declare
  v_found text;
begin
  begin
    set local session_replication_role = replica;
    execute p_change;
    v_found := (select string_agg(concat_ws(' ', p.object, p.step_no, p.problem), '; ') from tasker.check_integrity() as p);
    raise exception using errcode = 'TAP00', message = coalesce(v_found, 'nothing');
  exception when sqlstate 'TAP00' then
    return sqlerrm;
  end;
end;
$$;

select is(pg_temp.found('update tasker.workflow_steps set attempts = 2 where step_no = 1'), 'workflow_steps 1 has 2 attempts; its log has 1', 'more attempts');
select is(pg_temp.found('update tasker.workflow_steps set attempts = 0 where step_no = 3'), 'workflow_steps 3 has 0 attempts; its log has 1', 'fewer attempts');
select is(pg_temp.found('update tasker.workflow_steps set attempts = 1 where step_no = 4'), 'workflow_steps 4 has 1 attempts; its log has 0', 'attempts that no claim made');
select is(
  pg_temp.found($$ update tasker.workflow_steps set claim_login = 'mallory' where step_no = 2 $$),
  format('workflow_steps 2 was claimed by the login mallory; its log has %s', session_user), 'another login'
);
select is(
  pg_temp.found($$ update tasker.workflow_steps set claim_login = 'mallory' where step_no = 4 $$),
  'workflow_steps 4 was claimed by the login mallory; its log has no claim', 'a login that claimed nothing'
);
select is(pg_temp.found($$ update tasker.workflow_steps set last_error = 'forged' where step_no = 3 $$), 'workflow_steps 3 has another error than that recorded last', 'another error');
select is(pg_temp.found($$ update tasker.workflow_steps set last_error = null where step_no = 3 $$), 'workflow_steps 3 has another error than that recorded last', 'an error that is gone');
select is(pg_temp.found($$ update tasker.workflow_steps set last_error = 'forged' where step_no = 1 $$), 'workflow_steps 1 has another error than that recorded last', 'an error that never was');

-- Released, lost, given up and started again.
select tasker_test.pass('1 minute');
select tasker.fire_due_timers(100);
select tasker_test.claim('right');
select from tasker.release_steps(array[tasker.step_uuid(:'task', 3)], array[tasker_test.claim_no('right')]);
select tasker_test.claim('right');
select from tasker.fail_steps(array[tasker.step_uuid(:'task', 3)], array[tasker_test.claim_no('right')], '{no card}', '{t}');
select is((select s.attempts || ' ' || s.last_error from tasker.workflow_steps as s where s.task_uuid = :'task' and s.step_no = 3), '2 no card', 'a step that was released and failed for good');
select is_empty($$ select p.* from tasker.check_integrity() as p where p.object = 'workflow_steps' $$, 'is as its log says');
select tasker.retry_step(tasker.step_uuid(:'task', 3), 'a new card');
select tasker_test.claim('right');
select is_empty($$ select p.* from tasker.check_integrity() as p where p.object = 'workflow_steps' $$, 'and when an operator started it again');

-- Identities.
select from tasker.create_task('test', 'diamond', '{"n": 1}', p_identity_ttl => '1 second');
select throws_ok(
  $$ delete from tasker.task_identities $$, 'TK403', 'the identity of a task is kept as long as the task', 'an identity is not deleted while its task exists'
);
select tasker_test.pass('1 hour');
select is(tasker.gc_identities(), 0, 'not when it has expired either');
select is(
  pg_temp.found($$ alter table tasker.task_identities disable trigger user; delete from tasker.task_identities $$) ~ 'tasks lacks its identity', true, 'a task without its identity is found'
);
select is(
  (select count(*) from tasker.tasks as t where t.identity_hash is not null and not exists (select from tasker.task_identities as i where i.identity_hash = t.identity_hash)), 0::bigint,
  'each task has its identity'
);

select * from finish();
rollback;
