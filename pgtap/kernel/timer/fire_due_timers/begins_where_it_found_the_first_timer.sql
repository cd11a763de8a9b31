begin;
select plan(9);

select tasker_test.freeze();
create temporary table made as
  select tasker_test.create_task(p_start_at => tasker.clock() + u.no * interval '1 minute') as task, u.no
    from generate_series(1, 9) as u (no);
create function pg_temp.fire() returns text language sql
as $$
  select tasker.fire_due_timers(1);
  select string_agg(m.no::text, ' ' order by m.no)
    from made as m
   cross join lateral tasker.get_task(m.task) as t
   where t.state <> 'pending';
$$;
create function pg_temp.claim() returns bigint language sql
as $$ select count(*) from tasker.claim_steps('{test}', '00000000-0000-4000-8000-000000000007', 1); $$;
\set fire 'select tasker_test.buffers($$ select pg_temp.fire() $$)'
\set claim 'select tasker_test.buffers($$ select pg_temp.claim() $$)'
select tasker_test.pass('1 hour');
select from pg_temp.fire();
:fire as before \gset

-- The rows that are deleted stay in the index: this transaction has not committed.
insert into tasker.timers (task_uuid, kind, due_at)
select gen_random_uuid(), 'start_task', tasker.clock() - interval '2 hours'
  from generate_series(1, 9000);
delete from tasker.timers as m where m.due_at = tasker.clock() - interval '2 hours';
:fire as with_dead \gset
select cmp_ok(:with_dead::bigint, '>', :before + 100::bigint, 'a call reads the timers that have gone');

create or replace function tasker.timers_are_bloated() returns boolean language sql stable begin atomic select true; end;
select is(pg_temp.fire(), '1 2 3 4', 'if there are many, a call fires as ever');
:fire as marked \gset
select cmp_ok(:marked::bigint, '<=', :before + 60::bigint, 'and the next one of the session does not read them again');

update tasker.timers as t set due_at = tasker.clock() - interval '2 hours' from made as m where t.task_uuid = m.task and m.no = 7;
select is(pg_temp.fire(), '1 2 3 4 5 6', 'a timer that was dated back is left');
select tasker_test.pass('1001 milliseconds');
select is(pg_temp.fire(), '1 2 3 4 5 6 7', 'until a second has passed since the timers were read from the beginning');
select from pg_temp.fire();
update tasker.timers as t set due_at = tasker.clock() - interval '2 hours' from made as m where t.task_uuid = m.task and m.no = 9;
select is(pg_temp.fire(), '1 2 3 4 5 6 7 8 9', 'or until there is nothing else');

select from pg_temp.claim();
:claim as marked \gset
create or replace function tasker.timers_are_bloated() returns boolean language sql stable begin atomic select false; end;
:claim as with_dead \gset
select cmp_ok(:with_dead::bigint, '>', :marked + 100::bigint, 'a claim, which also fires timers, begins there, too');
create or replace function tasker.timers_are_bloated() returns boolean language sql stable begin atomic select true; end;
select pg_temp.claim() from generate_series(1, 9);
select tasker_test.create_task(p_start_at => tasker.clock() + interval '1 hour') as late \gset
update tasker.timers as t set due_at = tasker.clock() - interval '2 hours' where t.task_uuid = :'late';
select is(pg_temp.claim(), 1::bigint, 'and reads from the beginning when nothing else is ready');
select is_empty($$ select from tasker.timers $$, 'so no timer stays');

select * from finish();
rollback;
