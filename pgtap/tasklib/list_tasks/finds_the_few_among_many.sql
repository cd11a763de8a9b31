begin;
select plan(2);

select tasker_test.register_echo();
create temporary table before as
  select s.state, tasker_test.buffers(format('select * from tasklib.list_tasks(%L)', s.state)) as buffers
    from unnest(array['pending', 'running', 'failed', 'cancelled']) as s (state);
insert into tasklib.tasks (id, created_at, scheduled_at, started_at, completed_at, state, ready, max_retries, name, submitted_by, kwargs)
select gen_random_uuid(), now(), now(), now(), now(), 'completed', false, 3, 'echo', 'x', '{}' from generate_series(1, 20000);
select tasker_test.echo(1), tasker_test.echo(2, 0, 60);
select tasklib.cancel_task(tasker_test.echo(3));
select tasker_test.fail_echo(c.id, 1, 'x', true) from tasker_test.claim_echo(1) as c;
analyze tasklib.tasks;

select tasklib.list_tasks(s) from unnest(array['pending', 'running', 'failed', 'cancelled']) as s;
select is_empty(
  $$ select b.state from before as b
      where tasker_test.buffers(format('select * from tasklib.list_tasks(%L)', b.state)) > b.buffers + 100 $$,
  'a list by state does not read the 20,000 completed tasks'
);
select is((select count(*) from tasklib.list_tasks('pending')), 1::bigint, 'a task that waits for its time is listed as pending');

select * from finish();
rollback;
