begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register_as('diamond', '{}', 'top');
select tasker.ensure_task_queue('orchestration_task_requests');
-- PostgreSQL reads about 14,500 levels. A value that has nearly as many cannot become a part of another one.
create function pg_temp.request(p_levels integer) returns jsonb language sql
begin atomic
  select concat('{"namespace": "test", "name": "diamond", "other": ', repeat('[', p_levels), repeat(']', p_levels), '}')::jsonb;
end;
select pgmq.send('orchestration_task_requests', pg_temp.request(l)) from unnest('{900,5000}'::integer[]) as l;
select pgmq.send('orchestration_task_requests', '{"namespace": "test", "name": "diamond"}');

select is(tasker.process_task_requests(), 1, 'the valid message creates its task');
select is_empty($$ select from tasker.peek_queue('orchestration_task_requests') $$, 'no message is left');
select set_eq(
  $$ select sha256(convert_to(r.message ->> 'request', 'UTF8')), jsonb_typeof(r.message -> 'request'), r.message ->> 'code'
       from tasker.peek_queue('orchestration_task_requests_rejected') as r $$,
  $$ select sha256(convert_to(pg_temp.request(v.levels)::text, 'UTF8')), v.kept, 'TK422' from (values (900, 'object'), (5000, 'string')) as v (levels, kept) $$,
  'the others are rejected: one of 900 levels as it is, one of 5,000 levels as a text'
);

select * from finish();
rollback;
