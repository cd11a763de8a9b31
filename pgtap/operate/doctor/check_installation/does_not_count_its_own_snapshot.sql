begin;
select plan(1);

select is_empty(
  $$
  select f.message
    from tasker.check_installation() as f
   where f.name = 'snapshots'
     and f.message like format('%%session %s of%%', pg_backend_pid())
  $$,
  'the caller is not reported to hold vacuum back'
);

select * from finish();
rollback;
