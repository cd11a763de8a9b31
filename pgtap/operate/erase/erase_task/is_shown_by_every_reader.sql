-- Every function that reads a task or a step by its UUID, found by the catalogue, and the lists that have them: none fails on an erased
-- run, and none shows what it had.
begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.subscribe();
select tasker_test.create_waiting('all', '[
  {"name": "work", "retry": {"max_attempts": 1}}, {"name": "first"}, {"name": "more", "await": {"signal": "go"}},
  {"name": "last", "dependencies": ["work"]}
]', p_context => '{"a": "MARKER"}');
select tasker_test.run_function();
select tasker_test.keep(1, 'call', '{"a": "MARKER"}');
select tasker_test.fail_for_good('work', true, 'MARKER');
select tasker_test.claim('first');
select tasker_test.finish('first', '{"a": "MARKER"}');
select tasker.send_signal(tasker_test.the_task(), 'go', '{"a": "MARKER"}', 'key');
select tasker.create_dlq_entry(tasker_test.the_task(), 'manual_dlq', 'MARKER');
select tasker_test.judge();
select tasker.cancel_task(tasker_test.the_task(), 'MARKER', 'MARKER');

create temporary table calls as
  select p.proname::text as name,
         format('select coalesce(string_agg(r::text, chr(10)), '''') from tasker.%I(%L) as r', p.proname, u.uuid) as call
    from pg_proc as p
   cross join lateral (
     select case p.proargnames[1] when 'p_task_uuid' then tasker_test.the_task() when 'p_step_uuid' then tasker_test.the_step('work') end as uuid
   ) as u
   where p.pronamespace = 'tasker'::regnamespace
     and p.provolatile = 's'
     and p.pronargs - p.pronargdefaults <= 1
     and p.pronargs > 0
     and u.uuid is not null
     and exists (select from aclexplode(p.proacl) as a where a.grantee = 'tasker_reader'::regrole);
insert into calls
values ('read_events', $$ select string_agg(e::text, chr(10)) from tasker_test.read(1000) as e $$),
       ('list_tasks', $$ select string_agg(t::text, chr(10)) from tasker.list_tasks() as t $$),
       ('list_dlq_entries', $$ select string_agg(d::text, chr(10)) from tasker.list_dlq_entries() as d $$),
       ('list_incidents', $$ select string_agg(i::text, chr(10)) from tasker.list_incidents() as i $$),
       ('get_audit_by_time_range', $$ select string_agg(a::text, chr(10)) from tasker.get_audit_by_time_range('-infinity', 'infinity') as a $$);
create function pg_temp.answers()
  returns table (name text, answer text)
  language plpgsql
as $$
declare
  v_call calls;
begin
  for v_call in select c.* from calls as c loop
    name := v_call.name;
    begin
      execute v_call.call into answer;
    exception when others then
      answer := sqlstate || ': ' || sqlerrm;
    end;
    return next;
  end loop;
end;
$$;
create temporary table before as select a.* from pg_temp.answers() as a;
select cmp_ok((select count(*) from before), '>', 20::bigint, 'there are readers');
select cmp_ok((select count(*) from before as b where b.answer like '%MARKER%'), '>', 8::bigint, 'many of them show the data before');
select results_eq($$ select e.outcome from tasker.erase_task(tasker_test.the_task(), 'asked for') as e $$, $$ values ('erased') $$, 'the run is erased');
create temporary table after as select a.* from pg_temp.answers() as a;
select is_empty($$ select a.* from after as a where a.answer like '%MARKER%' $$, 'none of them shows the data afterwards');
select is_empty(
  $$ select a.* from after as a join before as b using (name) where a.answer ~ '^[0-9A-Z]{5}: ' and a.answer is distinct from b.answer $$,
  'none of them fails on what is left'
);
select is_empty(
  $$
  select b.name
    from before as b
    join after as a using (name)
   where b.answer like '%MARKER%'
     and (a.answer like '%erased%') is not true
     -- What a function has kept is deleted.
     and b.name is distinct from 'get_kept_results'
  $$,
  'those that showed the data say that it is erased'
);

select * from finish();
rollback;
