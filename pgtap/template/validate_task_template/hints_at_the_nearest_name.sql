begin;
select plan(9);

create function pg_temp.hint_for(p_field text)
  returns text
  language sql
as $$
  select split_part(p.hint, '?', 1)
    from tasker.validate_task_template(
      jsonb_build_object('namespace', 'n', 'name', 't', 'steps', jsonb_build_array(jsonb_build_object('name', 'a', p_field, 1)))
    ) as p;
$$;

select is(pg_temp.hint_for('handlr'), 'Is "handler" meant', 'a letter less');
select is(pg_temp.hint_for('hanlder'), 'Is "handler" meant', 'two exchanged');
select is(pg_temp.hint_for('jion'), 'Is "join" meant', 'in a short name');
select is(pg_temp.hint_for('Dependencies'), 'Is "dependencies" meant', 'a capital');
select is(pg_temp.hint_for('depends_on'), 'Is "dependencies" meant', 'another word for it');
select is(pg_temp.hint_for('timeout_second'), 'Is "timeout_seconds" meant', 'without its end');
select is(
  pg_temp.hint_for('xyz'),
  'It has name, description, handler, dependencies, join, retry, timeout_seconds, priority, initialization, await, timeout, on_timeout, assignee.',
  'none where none is near: then all'
);
select is(
  (
    select p.hint
      from tasker.validate_task_template('{"namespace": "n", "name": "t", "steps": [{"name": "reserve"}, {"name": "b", "dependencies": ["resreve"]}]}') as p
  ),
  'Is "reserve" meant?', 'a dependency too'
);
select isnt_empty($$ select pg_temp.hint_for(repeat('handler', 100000)) $$, 'a name without end is cut');

select * from finish();
rollback;
