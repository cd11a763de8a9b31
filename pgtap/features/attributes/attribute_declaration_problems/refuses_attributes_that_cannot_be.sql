begin;
select plan(17);

create function pg_temp.problems(p_attributes jsonb, p_fields jsonb default '{}') returns text language sql as $$
  select string_agg(concat_ws(': ', v.path, v.problem), '; ' order by v.path collate "C")
    from tasker.validate_task_template(
      jsonb_build_object('namespace', 'test', 'name', 'job', 'attributes', p_attributes, 'steps', '[{"name": "a"}, {"name": "m", "for_each": "$.lines"}]'::jsonb) || p_fields
    ) as v;
$$;
select is(
  pg_temp.problems('{"customer": "$.customer.id", "total": {"type": "number", "context": "$.total", "results": {"a": "$.total"}}, "due": {"type": "time", "context": "$.due"}}'),
  null, 'paths and objects'
);
select is(pg_temp.problems('{}'), null, 'no attribute');
select is(
  pg_temp.problems((select jsonb_object_agg('a' || i, '$.a') from generate_series(1, 9) as i)), 'attributes: has more than 8 attributes', 'at most eight'
);
select is(pg_temp.problems((select jsonb_object_agg('a' || i, '$.a') from generate_series(1, 8) as i)), null, 'eight');
select is(
  pg_temp.problems('{"a": "$.a["}'), 'attributes["a"].context: "$.a[" is no path', 'a path is a jsonpath'
);
select is(pg_temp.problems('{"a": "a"}'), 'attributes["a"].context: "a" is no path', 'a path begins with $');
select is(pg_temp.problems('{"a": "$.** ? (@.** == 1)"}'), 'attributes["a"].context: "$.** ? (@.** == 1)" is no path', 'a path is bounded in its cost');
select is(
  pg_temp.problems('{"a": {"type": "uuid", "context": "$.a"}}'), 'attributes["a"].type: "uuid" is no type', 'an unknown type'
);
select is(
  pg_temp.problems('{"a": {"results": {"b": "$.a"}}}'), 'attributes["a"].results["b"]: names the step "b", which the template does not have', 'an unknown step'
);
select is(
  pg_temp.problems('{"a": {"results": {"m": "$.a"}}}'), 'attributes["a"].results["m"]: names the step "m", a map, whose result is gathered when it is read', 'a map'
);
select is(pg_temp.problems('{"a": {"type": "text"}}'), 'attributes["a"]: has no source', 'no source');
select is(
  pg_temp.problems('{"a": 1, "b": {"path": "$.a"}, "c": null, "d": {"context": 1}}'),
  'attributes["a"]: is neither a path of the context nor an object of type, context and results; attributes["b"]: is neither a path of the context nor an object of type, context and results; attributes["c"]: is neither a path of the context nor an object of type, context and results; attributes["d"]: is neither a path of the context nor an object of type, context and results',
  'forms'
);
select is(
  pg_temp.problems('{"Customer": "$.a", "a\"; drop": "$.a", "": "$.a", "a=1": "$.a"}'),
  'attributes[""]: is no name of an attribute; attributes["Customer"]: is no name of an attribute; attributes["a=1"]: is no name of an attribute; attributes["a\"; drop"]: is no name of an attribute',
  'hostile names'
);
select is(pg_temp.problems('[]'), 'attributes: must be an object', 'an object');
select is(
  pg_temp.problems('{"customer": "$.customer", "secret": "$.secret", "paid": {"results": {"a": "$.paid"}}}', '{"encrypted": {"clear": ["customer"]}, "steps": [{"name": "a"}]}'),
  'attributes["paid"]: is a part of a result, which is encrypted; attributes["secret"]: "$.secret" is no field of the context in the clear',
  'encrypted payloads: only fields of the context in the clear'
);
select tasker.register_task_template('{"namespace": "test", "name": "job", "attributes": {"customer": "$.customer"}, "steps": [{"name": "a"}]}');
select is(
  pg_temp.problems('{"customer": {"type": "number", "context": "$.customer"}}'),
  'attributes["customer"].type: is number; in the namespace "test" the attribute is a text', 'a namespace has one type for a name'
);
select is(
  (select t.template -> 'attributes' from tasker.get_task_template('test', 'job') as t), '{"customer": {"type": "text", "context": "$.\"customer\""}}', 'the normal form'
);

select * from finish();
rollback;
