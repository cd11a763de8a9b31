begin;
select plan(1);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker_test.pass('10 minutes');
create or replace function tasker.server_started_at() returns timestamptz language sql stable as
  $$ select tasker.clock() - interval '20 seconds' $$;
select is(tasker.next_due_at('{test}') - tasker.clock(), interval '40 seconds', 'a lease ends no earlier than a lease after the start');

select * from finish();
rollback;
