begin;
select plan(12);

select tasker_test.freeze();
create function pg_temp.findings(p_steps jsonb, p_fields jsonb default '{}')
  returns setof text
  language sql
as $$
  select format('%s %s %s: %s', f.kind, f.status, f.tasks, f.finding)
    from tasker.check_template_change('{"namespace": "test", "name": "order", "version": "2"}' || p_fields || jsonb_build_object('steps', p_steps)) as f;
$$;

select results_eq(
  $$ select * from pg_temp.findings('[{"name": "pay"}]') $$,
  $$ values ('no_handler warn 0: no running worker has the handler "pay" of step "pay"') $$, 'a new template meets nothing but its workers'
);
select tasker.register_worker(tasker_test.worker(1), 'w', p_handlers => '{pay,pack,ship,old}');
select is_empty($$ select * from pg_temp.findings('[{"name": "pay"}]') $$, 'which may be running');
select results_eq(
  $$ select f.detail ->> 'nearest' from tasker.check_template_change('{"namespace": "test", "name": "order", "steps": [{"name": "shipp"}]}') as f $$,
  $$ values ('ship') $$, 'a handler that no worker has comes with the nearest'
);
select matches(
  (select string_agg(f.finding, ', ') from pg_temp.findings('[{"name": "pay", "colour": "red"}]') as f (finding)), '^problem fail 0: .*colour',
  'what cannot be registered is said, and nothing else'
);

select tasker_test.create_waiting('order', '[
  {"name": "pay"}, {"name": "check", "handler": "old", "dependencies": ["pay"]}, {"name": "ship", "dependencies": ["check"]}
]', '{"version": "1"}', '{"no": 1}');
select tasker_test.claim('pay');
select tasker_test.finish('pay', '{"cents": 12}');
select results_eq(
  $$ select * from pg_temp.findings('[{"name": "pay"}, {"name": "pack", "dependencies": ["pay"]}, {"name": "ship", "dependencies": ["pack"]}]') $$,
  $$ values
    ('open_tasks warn 1: 1 open tasks of version "1" meet the new handlers: pay, ship'),
    ('vanished_step warn 1: 1 open tasks of version "1" have yet to settle step "check", which the new version does not have'),
    ('fork ok 1: a fork of 1 open tasks of version "1" from step "pack" runs no finished step again') $$,
  'open tasks of other versions, their steps that are gone, and what forks run'
);
select results_eq(
  $$ select * from pg_temp.findings('[{"name": "limit", "handler": "pack"}, {"name": "pay", "dependencies": ["limit"]}, {"name": "check", "handler": "old", "dependencies": ["pay"]}, {"name": "ship", "dependencies": ["check"]}]') $$,
  $$ values
    ('open_tasks warn 1: 1 open tasks of version "1" meet the new handlers: old, pay, ship'),
    ('fork warn 1: a fork of 1 open tasks of version "1" from step "limit" runs pay again') $$,
  'a fork runs a finished step again if a new one comes before it'
);
select results_eq(
  $$ select * from pg_temp.findings('[{"name": "pay", "handler": "pack"}]') $$,
  $$ values
    ('open_tasks ok 1: 1 open tasks of version "1" have handlers of their own'),
    ('vanished_step warn 1: 1 open tasks of version "1" have yet to settle step "check", which the new version does not have'),
    ('vanished_step warn 1: 1 open tasks of version "1" have yet to settle step "ship", which the new version does not have') $$,
  'handlers of its own'
);
select results_eq(
  format($$ select f.kind, f.finding from tasker.check_template_change('{"namespace": "test", "name": "order", "version": "2",
      "steps": [{"name": "pay", "handler": "pack"}, {"name": "check", "handler": "old", "dependencies": [{"step": "pay", "when": %s}]}, {"name": "ship", "dependencies": ["check"]}]}') as f
    where f.kind = 'condition' $$, to_json(u.condition)),
  format('values (%L, %L)', 'condition', u.finding), u.finding
)
  from (values
    ('$.cents > 100', 'none of the last 1 results of step "pay" satisfies the condition of step "check"'),
    ('$.cents > 10', 'each of the last 1 results of step "pay" satisfies the condition of step "check"')
  ) as u (condition, finding);

select tasker.register_task_template('{"namespace": "test", "name": "order", "version": "3", "steps": [{"name": "pay"}], "types": {"pay": "{cents:int}"}}');
select results_eq(
  $$ select f.kind, f.status, f.detail ->> 'registered' = tasker.types_digest('{"pay": "{cents:int}"}'), f.detail -> 'differ'
       from tasker.check_template_change('{"namespace": "test", "name": "order", "version": "3", "steps": [{"name": "pay"}], "types": {"pay": "{cents:string}"}}') as f
      where f.kind = 'types' $$,
  $$ values ('types', 'fail', true, '["pay"]'::jsonb) $$, 'two programs of one version with other types are told apart by their digests'
);
select results_eq(
  $$ select f.kind, f.status from tasker.check_template_change('{"namespace": "test", "name": "order", "version": "3", "steps": [{"name": "pack"}]}') as f
      where f.kind in ('content', 'types') $$,
  $$ values ('content', 'fail'), ('types', 'ok') $$, 'and other content under a registered version is refused before it is registered'
);
select results_eq(
  $$ select f.kind, f.status from tasker.check_template_change(null) as f $$, $$ values ('problem', 'fail') $$, 'null is no template'
);

select * from finish();
rollback;
