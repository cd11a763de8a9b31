begin;
select plan(6);

select tasker_test.register_echo();
select tasker_test.echo(1) as id \gset
select tasker_test.echo(2) as other \gset
update tasklib.tasks set id = (left(id::text, 24) || 'aabbcc00' || '0001')::uuid where id = :'id';
update tasklib.tasks set id = (left(id::text, 24) || 'aabbccdd' || '0001')::uuid where id = :'other';

create function pg_temp.found(p_short_id text) returns text language sql as $$
  select coalesce(string_agg(substr(f::text, 25), ' '), '') from tasklib.find_tasks_by_short_id(p_short_id) as f
$$;
select is(pg_temp.found('aabbccdd'), 'aabbccdd0001', 'a short id of eight digits finds its task');
select is(pg_temp.found('AABBCC'), 'aabbccdd0001 aabbcc000001', 'a short id of six digits, in either case, finds both tasks, newest first');
select is(pg_temp.found('ccdd'), '', 'the digits must be the first of the random part');
select throws_ok($$ select tasklib.find_tasks_by_short_id('abc') $$, 'TK422', '"abc" is not a short id', 'three digits are refused');
select throws_ok($$ select tasklib.find_tasks_by_short_id(null) $$, 'TK422', 'null is not a short id', 'a null short id is refused');
select throws_ok($$ select tasklib.find_tasks_by_short_id('job 1') $$, 'TK422', '"job 1" is not a short id', 'text that is not hexadecimal is refused');

select * from finish();
rollback;
