begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.limited();
select tasker_test.limited(p_name => 'refund');
select tasker.set_limit('test', 'stripe', 2);
create function pg_temp.lines() returns text language sql as $$
  select string_agg(h.name, ', ' order by h.name)
    from tasker.limit_lines as l
    join tasker.named_steps as h on h.named_step_uuid = l.named_step_uuid;
$$;
select tasker_test.make_limited(1);
select tasker_test.pass('1 second');
select tasker_test.make_limited(3, p_name => 'refund');
select tasker_test.claim();
select results_eq('select * from tasker_test.in_use', $$ values ('stripe', '', 2::bigint, 2::bigint) $$, 'two steps run, two wait');
select is(pg_temp.lines(), 'refund', 'the line of the handler that has no more steps is deleted');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
