begin;
select plan(9);

select tasker_test.register_echo();
create function pg_temp.submit(p_key text, p_count integer, p_priority integer default 0) returns void language sql as $$
  select from tasklib.submit_tasks(
    'echo', array_fill(jsonb_build_object('key', coalesce(p_key, '-')), array[p_count]), p_priorities => array_fill(p_priority, array[p_count]),
    p_limit_keys => array_fill(p_key, array[p_count])
  );
$$;
create function pg_temp.claim(p_limit integer) returns text language sql as $$
  select string_agg(c.kwargs ->> 'key', ' ' order by c.kwargs ->> 'key' collate "C")
    from tasklib.claim_tasks(array['echo'], 'w', p_limit) as c;
$$;

select pg_temp.submit('busy', 1000);
select pg_temp.submit('small', 1);
select pg_temp.submit(null, 3);
select pg_temp.submit('other', 2);

select is(pg_temp.claim(4), '- busy other small', 'each key gets one task, and so do the tasks without a key');
select is(pg_temp.claim(4), '- busy busy other', 'keys with more tasks get what the others leave');
select is(pg_temp.claim(1), 'busy', 'the turns continue from claim to claim');
select is(pg_temp.claim(1), '-', 'the tasks without a key come after the last key');

select pg_temp.submit('late', 1);
select pg_temp.submit('busy', 1, 9);
select is(
  (select string_agg(c.kwargs ->> 'key' || c.priority, ' ' order by c.kwargs ->> 'key')
     from tasklib.claim_tasks(array['echo'], 'w', 2) as c),
  'busy9 late0', 'each key gives its task of the highest priority'
);

select tasker_test.register_echo(p_name => 'plain');
select tasklib.submit_task('plain', '{"key": "plain"}', p_priority => 5);
select pg_temp.submit('late', 1);
select is(
  (select string_agg(c.name, ' ' order by c.name) from tasklib.claim_tasks(array['echo', 'plain'], 'w', 1) as c),
  'plain', 'another name is served first if its priority is higher'
);
select is(
  (select string_agg(c.name || coalesce(c.kwargs ->> 'key', ''), ' ' order by c.name, c.kwargs ->> 'key')
     from tasklib.claim_tasks(array['echo', 'plain'], 'w', 2) as c),
  'echobusy echolate', 'keys take turns beside other names'
);
select throws_like(
  $$ select tasklib.submit_task('echo', p_limit_key => repeat('x', 10000)) $$, '%limit key is empty or longer than 200%',
  'a key of 10,000 characters is refused'
);
select throws_ok(
  $$ select tasklib.submit_tasks('echo', array['{}', '{}']::jsonb[], p_limit_keys => array['a']) $$, 'TK422', 'the arrays of a submission have different lengths',
  'an array of keys that is shorter than the tasks is refused'
);

select * from finish();
rollback;
