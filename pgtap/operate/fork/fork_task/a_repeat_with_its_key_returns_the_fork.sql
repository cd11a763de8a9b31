begin;
select plan(14);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.the_task() as task \gset
create function pg_temp.fork(p_step text, p_key text, p_version text default null, p_cancel boolean default false, p_reason text default null)
  returns uuid
  language sql
begin atomic
  select tasker.fork_task(tasker_test.the_task(), p_step, p_version, p_reason, null, p_cancel, p_key);
end;

select pg_temp.fork('left', 'k') as fork \gset
select is(pg_temp.fork('left', 'k'), :'fork'::uuid, 'a repeat returns the same fork');
select is(pg_temp.fork('left', 'k', p_reason => 'once more'), :'fork'::uuid, 'another reason makes no other fork');
select is(pg_temp.fork('left', 'k', (select t.version from tasker.get_task(:'task') as t)), :'fork'::uuid, 'nor does the default version by its name');
select isnt(pg_temp.fork('left', 'other'), :'fork'::uuid, 'another key makes another fork');
select isnt(pg_temp.fork('left', null), :'fork'::uuid, 'so does no key');
select is((select count(*) from tasker.tasks), 4::bigint, 'three forks are there');
select throws_ok($$ select pg_temp.fork('right', 'k') $$, 'TK409', format('the key belongs to another fork of task %s', :'task'), 'the key is refused for another step');
select throws_ok($$ select pg_temp.fork('left', 'k', '99') $$, 'TK409', format('the key belongs to another fork of task %s', :'task'), 'and for another version');
select throws_ok($$ select pg_temp.fork('left', 'k', p_cancel => true) $$, 'TK409', format('the key belongs to another fork of task %s', :'task'), 'and if it is to cancel the task');
select throws_ok(format('select tasker.fork_task(%L, ''left'', p_key => %L)', :'task', repeat('k', 1001)), 'TK413', 'the key is longer than 1000 characters', 'a key that is too long is refused');
select is_empty('select tasker_test.violations()', 'every invariant holds');

-- A key belongs to one task; what comes after the first call changes nothing.
select pg_temp.fork('left', 'cancels', p_cancel => true) as cancels \gset
select is(pg_temp.fork('left', 'cancels', p_cancel => true), :'cancels'::uuid, 'a repeat returns the fork that cancelled the task');
select set_config('tasker_test.task', :'fork', true);
select isnt(pg_temp.fork('left', 'k'), :'fork'::uuid, 'the same key forks another task');

-- A fork cancels no task that has failed before; a reset opens it.
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.fail_for_good('top');
select tasker.give_up_task(tasker_test.the_task());
select pg_temp.fork('top', 'failed', p_cancel => true) as failed \gset
select tasker.reset_task(tasker_test.the_task());
select is(pg_temp.fork('top', 'failed', p_cancel => true), :'failed'::uuid, 'a repeat returns the fork of a task that was reset meanwhile');

select * from finish();
rollback;
