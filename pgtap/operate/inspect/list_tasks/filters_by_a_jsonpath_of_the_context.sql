-- A predicate holds for a context, another path finds a value in it. A path that does not fit a context finds no task and raises no error.
begin;
select plan(20);

select tasker.register_task_template('{"namespace": "test", "name": "sale", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}') as _ \gset
select count(*) as _ from tasker.create_tasks('test', 'sale', array[
  '{"n": "a", "total": 120, "items": [{"price": 20, "name": "lamp"}], "paid": false}', '{"n": "b", "total": 80, "items": [], "paid": true}',
  '{"n": "c", "total": "many", "pgtasker": "mine", "flags": [false, true]}', '{"n": "d", "flags": [null, false]}', '{"n": "e", "flags": [null, [false]]}']::jsonb[]) \gset
create function pg_temp.found(p_where text) returns text language sql as $$
  select string_agg(t.context ->> 'n', '' order by t.task_uuid) from tasker.list_tasks('test', p_where => p_where) as l, tasker.get_task(l.task_uuid) as t;
$$;
select is(pg_temp.found(w.path), w.found, w.path)
  from (values
    ('$.total > 100', 'a'), ('$.total <= 100', 'b'), ('!($.total > 100)', 'bde'), ('$.items[*] ? (@.price > 10 && @.name starts with "la")', 'a'),
    ('$.items[*].price > 10', 'a'), ('$.paid', 'b'), ('$.total', 'abc'), ('strict $.total > 100', 'a'), ('$.n like_regex "^[ad]$"', 'ad'),
    ('$.pgtasker == "mine"', 'c'), ('$.none', null), ('$.flags[*]', 'ce'), ('$.flags', 'cde')
  ) as w (path, found);

-- An encrypted context has its fields in the clear only.
select tasker.register_task_template(
  '{"namespace": "test", "name": "secret", "identity_strategy": "always_unique", "encrypted": {"clear": ["customer"]}, "steps": [{"name": "a"}]}') as _ \gset
select count(*) as _ from tasker.create_tasks('test', 'secret', array[
  '{"customer": 42, "pgtasker": {"alg": "AES", "kid": "k", "for": "f", "ct": "c"}}']::jsonb[]) \gset
select is((select count(*) from tasker.list_tasks('test', 'secret', p_where => '$.customer == 42')), 1::bigint, 'a field in the clear is found');
select is((select count(*) from tasker.list_tasks('test', 'secret', p_where => w.path)), 1::bigint, w.path)
  from (values ('$.* == 42'), ('$."\u0063ustomer" == 42')) as w (path);
select is((select count(*) from tasker.list_tasks('test', p_where => '$.pgtasker.ct')), 0::bigint, 'the envelope is not read');
select throws_ok($$ select tasker.list_tasks('test', 'secret', p_where => '$.total > 100') $$, 'TK422', 'the filter "$.total > 100" reads encrypted fields only',
  'a filter that can find nothing is refused');
select is((select string_agg(c.words, '') from tasker.preview_selection('tasks', '{"namespace": "test", "where": "$.total > 100"}') as c),
  '1 task of namespace test whose context has $.total > 100', 'a selection has the filter');
select is((select count(*) from tasker.list_tasks('test', p_where => '$.total', p_step => 'a', p_limit => 2)), 2::bigint, 'a page is full before all are read');

select * from finish();
rollback;
