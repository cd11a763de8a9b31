-- A jsonpath walks a context once for each of its paths, or it is refused before a task is read.
begin;
select plan(14);

select throws_ok(format('select tasker.list_tasks(p_where => %L)', w.path), 'TK422', format('the filter "%s" is not a jsonpath that a list can use', left(w.path, 100)), left(w.path, 60))
  from (values
    ('$.total >'), (''), ('total > 100'), ('$[*] ? (@ == $[*])'), ('$.a == $.b'), ('$.**.**'), ('$.** == 1'), ('$.a like_regex "(.*)\\1"'),
    ('$.a like_regex "((a{1,200}){1,200}){1,200}"'), ('$.a == $b'), (repeat('$.a == 1 && ', 1000) || '$.a == 1'), ('$' || repeat('[0,0]', 40) || ' == 1'),
    (repeat('(', 3000))
  ) as w (path);
select is(tasker.condition_error('$[0 to 5] == 1'), null, 'a range of subscripts multiplies nothing');

select * from finish();
rollback;
