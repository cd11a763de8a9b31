begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
create function pg_temp.pass_through(p_lane tasker.queue_lane, p_visible interval) returns void language plpgsql
as $$
begin
  insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
  select tasker.mint_task_uuid(), 1, 'test', p_lane, h.named_step_uuid, tasker.clock() + p_visible
    from tasker.named_steps as h
   cross join generate_series(1, 9000)
   where h.name = 'a';
  delete from tasker.step_queue as q where q.lane = p_lane and q.visible_at = tasker.clock() + p_visible;
end;
$$;
prepare due as select tasker.next_due_at('{test}') - tasker.clock();
\set cost 'select tasker_test.buffers($$ select tasker.next_due_at(''{test}'') $$)'
-- The rows that are deleted stay in the index: this transaction has not committed.
select pg_temp.pass_through('running', '59 seconds');
select pg_temp.pass_through('normal', '-1 second');
:cost;
:cost as without \gset
select cmp_ok(:without::bigint, '>', 200::bigint, 'rows that have gone are read');

create or replace function tasker.queue_is_bloated() returns boolean language sql stable begin atomic select true; end;
:cost;
:cost as kept \gset
select cmp_ok(:kept::bigint, '<=', 80::bigint, 'if there are many, the next call of the session does not read them again');

select tasker_test.launch('one');
select results_eq('execute due', $$ values (interval '0') $$, 'a step that has become ready since is found');
select from tasker_test.claim();
select results_eq('execute due', $$ values (interval '60 seconds') $$, 'a lease that has begun since is found');
select from tasker.fail_steps(array[tasker_test.the_step('a')], '{1}', '{no}', null, '{20}');
select results_eq('execute due', $$ values (interval '20 seconds') $$, 'a timer that was set since is found');

insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
select tasker.mint_task_uuid(), 1, 'test', 'normal', h.named_step_uuid, tasker.clock() - interval '1 minute'
  from tasker.named_steps as h
 where h.name = 'a';
select results_eq('execute due', $$ values (interval '20 seconds') $$, 'a row that was dated back a minute is not');
select tasker_test.pass('11 seconds');
select results_eq('execute due', $$ values (interval '-71 seconds') $$, 'until ten seconds have passed');

select * from finish();
rollback;
