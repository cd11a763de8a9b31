-- A jsonpath walks a context once for each of its paths, or it is refused before a task is read.
begin;
select plan(28);

select throws_ok(format('select tasker.list_tasks(p_where => %L)', w.path), 'TK422', format('the filter "%s" is not a jsonpath that a list can use', left(w.path, 100)), left(w.path, 60))
  from (values
    ('$.total >'), (''), ('total > 100'), ('$[*] ? (@ == $[*])'), ('$.a == $.b'), ('$.**.**'), ('$.** == 1'), ('$.a like_regex "(.*)\\1"'),
    ('$.a like_regex "((a{1,200}){1,200}){1,200}"'), ('$.a == $b'), (repeat('$.a == 1 && ', 1000) || '$.a == 1'), ('$' || repeat('[0,0]', 40) || ' == 1'),
    (repeat('(', 3000)), ('$' || repeat('[$.size()[0],0,0,0,0,0,0,0,0,0,0]', 7) || ' == 1'), ('$.a[*][$.b[*] ? (@ == 7)] == 1'), ('$.a[@.n] == 1'),
    ('$.n == 1e131071'), ('$.n == 1E+20000'), (repeat('$.n == 1e999 && ', 30) || '$.n == 1'), ('$.**{0 to 1000}.keyvalue().key == "q"'),
    ('$.a.decimal(0) == 1'), ('$.t.timestamp() == 1'), ('$.t.time_tz() == 1')
  ) as w (path);
select is(tasker.condition_error(w.path), null, w.path)
  from (values ('$[0 to 5] == 1'), ('$[last - 1].a[*][last] == 1'), ('$.n == 1e300'), ('$.n == "1e20000"'), ('$."date"."decimal" == 1')) as w (path);

select * from finish();
rollback;
