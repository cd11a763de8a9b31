-- definitions: registering templates, the shape of graphs, what is ready
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/tables/kernel/template/template_fields.sql
create table tasker.template_fields (
  object       text      not null,
  position     smallint  not null,
  field        text      not null,
  json_type    text      not null,
  required     boolean   not null,
  minimum      numeric,
  maximum      numeric,
  whole        boolean   not null  default false,
  pattern      text,
  choices      text[],
  description  text      not null,

  constraint template_fields_pkey
    primary key (object, field),
  constraint template_fields_position_key
    unique (object, position),
  constraint template_fields_object_check
    check (object in ('template', 'lifecycle', 'step', 'retry', 'dependency', 'await', 'task', 'for_each', 'limits', 'start_on', 'cancel_on', 'runs')),
  constraint template_fields_json_type_check
    check (json_type in ('string', 'number', 'boolean', 'object', 'array', 'duration', 'alternatives', 'elements')),
  constraint template_fields_bounds_check
    check (minimum <= maximum and (json_type in ('string', 'number', 'array', 'alternatives') or maximum is null))
);

comment on table tasker.template_fields is
  'The fields of templates and their objects. Registration and documentation read this data. Only a migration changes it.';
comment on column tasker.template_fields.json_type is
  'The type of the field''s value: a type of JSON, duration, alternatives or elements. A duration is a number of seconds or a text such as 3d. The type alternatives is an object or an array of objects. The type elements is a path or an object.';
comment on column tasker.template_fields.maximum is
  'The limit of a number''s value, a string''s characters or an array''s elements, as minimum is.';
-- <<<

-- >>> db/schema/data/template_fields.sql
-- down: delete from tasker.template_fields;
insert into tasker.template_fields (
  object, position, field, json_type, required, minimum, maximum, whole, pattern, choices, description
)
values
  ('template',   1, 'namespace',         'string',  true,  null, null,     false, '^[a-z][a-z0-9_]{0,28}$', null, 'A lower-case letter, then at most 28 letters, digits and underscores. Created if it is new.'),
  ('template',   2, 'name',              'string',  true,  null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$', null, 'A letter or digit, then at most 63 of these, underscores, dots and hyphens.'),
  ('template',   3, 'version',           'string',  false, null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.+-]{0,15}$', null, 'At most 16 letters, digits, underscores, dots, hyphens and plus signs; 0.1.0 by default.'),
  ('template',   4, 'description',       'string',  false, 0,    10000,    false, null, null, 'For people.'),
  ('template',   5, 'identity_strategy', 'string',  false, null, null,     false, null, '{strict,caller_provided,always_unique}', 'How equal tasks are recognised: by context (the default), by the caller''s key, or never.'),
  ('template',   6, 'on_failure',        'string',  false, null, null,     false, null, '{continue,halt,fail}', 'After a step has failed for good: continue with steps that do not depend on it (the default), enqueue no more steps, or continue and fail the task once nothing else can move.'),
  ('template',   7, 'lifecycle',         'object',  false, null, null,     false, null, null, 'When a task is stale; settings by default.'),
  ('template',   8, 'input_schema',      'object',  false, null, null,     false, null, null, 'The JSON Schema that the context of each new task must fit: type, properties, required, enum, minimum, maximum, maxLength and items are checked; title, description, default, format and examples are notes.'),
  ('template',   9, 'start_on',          'alternatives', false, 1, 20,    false, null, null, 'The events that start a task: {"event": name}, or a list. It is created in the transaction that emits the event.'),
  ('template',  10, 'cancel_on',         'alternatives', false, 1, 20,    false, null, null, 'The events that cancel the open task of an identity key, in the transaction that emits the event.'),
  ('template',  11, 'steps',             'array',   true,  0,    65535,    false, null, null, 'The steps. In a new version steps keep the numbers of those of the same name; new ones are numbered in this order.'),
  ('template',  12, 'types',             'object',  false, null, null,     false, null, null, 'What the program that registers it takes for the types of the context (as $context) and of the steps'' results, as texts. They are no part of its content; two that differ under one version are refused.'),
  ('template',  13, 'on_undo',           'string',  false, null, null,     false, null, '{cancel,drain}', 'Before compensations: steps in progress are cancelled (the default), or awaited.'),
  ('template',  14, 'runs',              'object',  false, null, null,     false, null, null, 'How many of its tasks run at once for each key, and what becomes of further ones.'),
  ('template',  15, 'encrypted',         'object',  false, null, null,     false, null, null, 'Payloads are encrypted before they leave the client, and the database refuses payloads in the clear. clear: the fields of the context that stand beside the ciphertext.'),
  ('template',  16, 'attributes',        'object',  false, null, null,     false, null, null, 'What its tasks are searched and sorted by, at most eight by name: a jsonpath of the context such as $.customer.id, or {"type": text, number or time, "context": jsonpath, "results": {step: jsonpath of its result}}.'),

  ('runs',       1, 'key',               'string',  false, 1,    1000,     false, null, null, 'A jsonpath of the context, such as $.customer: tasks with other values run beside each other.'),
  ('runs',       2, 'max',               'number',  false, 1,    1000000,  true,  null, null, 'How many tasks of a key run at once.'),
  ('runs',       3, 'order',             'string',  false, null, null,     false, null, '{created,priority}', 'Which waiting task comes next: the one that waits longest (the default), or the one of the highest priority.'),
  ('runs',       4, 'further',           'string',  false, null, null,     false, null, '{wait,skip,refuse,cancel_running,replace_waiting}', 'What becomes of a task that is requested while all places are taken: it waits (the default), the running one stands for it, it is refused, it replaces the running one, or the waiting one.'),
  ('runs',       5, 'sequence',          'boolean', false, null, null,     false, null, null, 'Whether a failed task keeps its place, until it is complete or skipped; false by default.'),

  ('lifecycle',  1, 'max_waiting_for_dependencies_minutes', 'number', false, 1, 5256000, true, null, null, 'Minutes without progress in waiting_for_dependencies.'),
  ('lifecycle',  2, 'max_waiting_for_retry_minutes',        'number', false, 1, 5256000, true, null, null, 'Minutes without progress in waiting_for_retry.'),
  ('lifecycle',  3, 'max_steps_in_process_minutes',         'number', false, 1, 5256000, true, null, null, 'Minutes without progress in steps_in_process.'),

  ('step',       1, 'name',              'string',  true,  null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$', null, 'A letter or digit, then at most 127 of these, underscores, dots, colons and hyphens. Unique in the template.'),
  ('step',       2, 'description',       'string',  false, 0,    10000,    false, null, null, 'For people.'),
  ('step',       3, 'handler',           'string',  false, null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.:+-]{0,239}$', null, 'The name of the handler that runs it, as workers register it: a letter or digit, then at most 239 of these, underscores, dots, colons, plus signs and hyphens; the step''s name by default.'),
  ('step',       4, 'dependencies',      'array',   false, 0,    65535,    false, null, null, 'The steps that it waits for: a name, or {"step": name, "when": condition}, or {"step": name, "on": failed}.'),
  ('step',       5, 'join',              'string',  false, null, null,     false, null, '{all,any,settled,first}', 'When it runs once they have settled: all dependencies satisfied (the default), any of them, or with any outcome. first: with the first dependency that is satisfied; the other branches are cancelled.'),
  ('step',       6, 'retry',             'object',  false, null, null,     false, null, null, 'What happens when it fails.'),
  ('step',       7, 'timeout_seconds',   'number',  false, 1,    31536000, true,  null, null, 'How long one attempt may take.'),
  ('step',       8, 'priority',          'number',  false, -1000000, 1000000, true, null, null, 'Above 0 the fast lane, below 0 the slow one; 0 by default.'),
  ('step',       9, 'initialization',    'object',  false, null, null,     false, null, null, 'The inputs of its handler.'),
  ('step',      10, 'await',             'alternatives', false, 1, 100,    false, null, null, 'What it waits for instead of running a handler: {"signal": name}, {"event": name, "key": key}, {"for": duration}, {"until": time}, or a list of these, of which the first wins.'),
  ('step',      11, 'timeout',           'duration', false, null, null,    false, null, null, 'How long it waits at most: seconds, or a text such as 90s, 30m, 12h, 3d (of 86,400 seconds each) or 2w.'),
  ('step',      12, 'on_timeout',        'string',  false, null, null,     false, null, '{fail,skip,complete}', 'What becomes of it when its timeout ends the wait: it fails (the default), is skipped, or is complete with {"by": "timeout"}.'),
  ('step',      13, 'assignee',          'string',  false, 1,    200,      false, null, null, 'Who is to answer. The name of a database role is enforced: its members may.'),
  ('step',      14, 'task',              'object',  false, null, null,     false, null, null, 'The task that it starts and waits for, instead of running a handler.'),
  ('step',      15, 'for_each',          'elements', false, null, null,    false, null, null, 'The array that a map runs over: a jsonpath of the context such as $.lines, or {"step": name, "path": jsonpath} for the result of a dependency. The handler runs, or a task is started, for each element.'),
  ('step',      16, 'max_parallel',      'number',  false, 1,    65535,    true,  null, null, 'How many instances of a map may be started and not settled at a time; all by default.'),
  ('step',      17, 'allow_failures',    'number',  false, 0,    65535,    true,  null, null, 'How many elements of a map may fail for good. Beyond that the map fails; by default a failed instance waits for an operator like any step.'),
  ('step',      18, 'compensate',        'string',  false, null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.:+-]{0,239}$', null, 'The name of the handler that undoes it if the task fails or is cancelled after it was done or begun.'),
  ('step',      21, 'limit',             'string',  false, null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$', null, 'The limit of the namespace that it waits for: a letter or digit, then at most 127 of these, underscores, dots, colons and hyphens. Created without bounds if it is new.'),
  ('step',      22, 'limit_key',         'string',  false, 1,    1000,     false, null, null, 'A jsonpath of the task''s context, such as $.customer, or of its inputs, such as $inputs.region: steps with other values have limits of their own.'),
  ('step',      23, 'sql',               'string',  false, null, null,     false, '^[a-z_][a-z0-9_]{0,62}\.[a-z_][a-z0-9_]{0,62}$', null, 'The function of the database that runs it, with its schema, such as shop.book_order: it takes one jsonb and returns the result. No worker is needed.'),
  ('step',      24, 'limit_units',       'number',  false, 1,    1000000,  true,  null, null, 'How many places of its limit it takes; 1 by default. With more than the limit has it runs alone.'),
  ('step',      25, 'limit_hold',        'string',  false, null, null,     false, null, '{claim,run}', 'How long it keeps its places: until the claim ends (the default), or until its run ends, over retries, sleeps and waits.'),
  ('step',      26, 'limits',            'array',   false, 0,    10,       false, null, null, 'Further limits that it needs, too: a name, or {"limit": name, "limit_key": path, "limit_units": number}. It takes all of them or none.'),
  ('step',      27, 'start_within',      'duration', false, null, null,    false, null, null, 'How long it may wait for a worker, from when it is enqueued: seconds, or a text such as 90s, 30m, 12h. Then it fails for good; a step that depends on its failure runs. By default it waits until a worker takes it.'),
  ('step',      28, 'limit_bound',       'string',  false, 1,    1000,     false, null, null, 'A jsonpath of the task''s context, such as $.plan.places, that leads to the number of steps of its key that may run at once. Creation sets it, and the newest task wins; without a value the key keeps its bound. Bounds that an operator gave the key win.'),
  ('step',      29, 'limit_bound_max',   'number',  false, 1,    1000000,  true,  null, null, 'The largest number that counts at limit_bound; required with it.'),

  ('limits',     1, 'limit',             'string',  true,  null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$', null, 'The further limit of the namespace, named as a limit is.'),
  ('limits',     2, 'limit_key',         'string',  false, 1,    1000,     false, null, null, 'The path of the step''s key in it.'),
  ('limits',     3, 'limit_units',       'number',  false, 1,    1000000,  true,  null, null, 'How many places of it the step takes; 1 by default.'),
  ('limits',     4, 'limit_bound',       'string',  false, 1,    1000,     false, null, null, 'The path of the bound of the step''s key in it.'),
  ('limits',     5, 'limit_bound_max',   'number',  false, 1,    1000000,  true,  null, null, 'The largest number that counts there.'),

  ('task',       1, 'namespace',         'string',  false, null, null,     false, '^[a-z][a-z0-9_]{0,28}$', null, 'The namespace of the task''s template; that of this template by default.'),
  ('task',       2, 'name',              'string',  true,  null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$', null, 'The name of the task''s template.'),
  ('task',       3, 'version',           'string',  false, null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.+-]{0,15}$', null, 'Its version; by default the newest when the task is started that is not retired.'),
  ('task',       4, 'context',           'object',  false, null, null,     false, null, null, 'What the task gets: fields with values, paths of this task''s context such as "$.order.id", or results of a dependency, such as {"step": "pick", "path": "$.lines"}; {"value": …} is never a path. Or only {"step": name}: that result as a whole. In a map, $inputs.element and $inputs.index, too. By default the context of this task, in a map the element.'),
  ('task',       5, 'abandon',           'boolean', false, null, null,     false, null, null, 'Whether the task goes on if this step ends before it; it is cancelled by default.'),

  ('for_each',   1, 'step',              'string',  true,  null, null,     false, null, null, 'The name of a step that this one depends on.'),
  ('for_each',   2, 'path',              'string',  false, 1,    4000,     false, null, null, 'A jsonpath that leads to one array in its result; $ by default, the result itself.'),

  ('await',      1, 'signal',            'string',  false, null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$', null, 'The name of a signal: a letter or digit, then at most 127 of these, underscores, dots, colons and hyphens.'),
  ('await',      2, 'event',             'string',  false, null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$', null, 'The name of an event of the namespace, which may come to many steps; named as a signal is.'),
  ('await',      3, 'key',               'string',  false, 1,    500,      false, null, null, 'The key of the event: a text, or a jsonpath of the context that has one, such as $.order; by default events without a key.'),
  ('await',      4, 'look_back',         'duration', false, null, null,    false, null, null, 'How long before the wait began an event may have been emitted; 60 seconds by default. At most as long as events are kept.'),
  ('await',      5, 'for',               'duration', false, null, null,    false, null, null, 'How long it waits, from when it becomes ready: seconds, or a text such as 3d.'),
  ('await',      6, 'until',             'string',  false, 1,    1000,     false, null, null, 'Until when it waits: a time with its offset such as 2026-12-24T18:00:00Z, or a jsonpath of the context that has one, such as $.ship_at.'),
  ('await',      7, 'when',              'string',  false, 1,    4000,     false, null, null, 'A jsonpath predicate on the payload of the signal or event; any payload by default.'),
  ('await',      8, 'schema',            'object',  false, null, null,     false, null, null, 'What the payload must look like: type, properties, required, enum, minimum, maximum, maxLength, items.'),

  ('retry',      1, 'retryable',         'boolean', false, null, null,     false, null, null, 'Whether a failure is retried; true by default.'),
  ('retry',      2, 'max_attempts',      'number',  false, 1,    10000,    true,  null, null, 'Attempts in all; the setting max_attempts by default.'),
  ('retry',      3, 'backoff',           'string',  false, null, null,     false, null, '{exponential,constant}', 'Whether the wait grows with each attempt (the default) or stays base_seconds.'),
  ('retry',      4, 'base_seconds',      'number',  false, 0.001, 86400,   false, null, null, 'The wait before it grows; the setting backoff_base by default.'),
  ('retry',      5, 'multiplier',        'number',  false, 1,    100,      false, null, null, 'The factor by which each attempt lengthens the wait; the setting backoff_multiplier by default.'),
  ('retry',      6, 'max_seconds',       'number',  false, 0,    31536000, true,  null, null, 'The longest wait; the setting max_backoff_seconds by default.'),

  ('start_on',   1, 'event',             'string',  true,  null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$', null, 'The name of an event of the namespace.'),
  ('start_on',   2, 'key',               'string',  false, 1,    500,      false, null, null, 'The key that the event must have; any by default.'),
  ('start_on',   3, 'when',              'string',  false, 1,    4000,     false, null, null, 'A jsonpath predicate on the payload; any payload by default.'),
  ('start_on',   4, 'context',           'object',  false, null, null,     false, null, null, 'What the task gets: an object in which a text that begins with $ is a path of the payload; {"value": …} is a constant. The payload itself by default.'),
  ('start_on',   5, 'identity',          'string',  false, 1,    1000,     false, null, null, 'A path of the payload that leads to the identity key, such as $.order, or the key itself, if the identity strategy is caller_provided; the key of the event by default.'),
  ('cancel_on',  1, 'event',             'string',  true,  null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$', null, 'The name of an event of the namespace.'),
  ('cancel_on',  2, 'key',               'string',  false, 1,    500,      false, null, null, 'The key that the event must have; any by default.'),
  ('cancel_on',  3, 'when',              'string',  false, 1,    4000,     false, null, null, 'A jsonpath predicate on the payload; any payload by default.'),
  ('cancel_on',  4, 'identity',          'string',  false, 1,    1000,     false, null, null, 'A path of the payload that leads to the identity key of the task, or the key itself; the key of the event by default.'),
  ('dependency', 1, 'step',              'string',  true,  null, null,     false, null, null, 'The name of a step of this template.'),
  ('dependency', 2, 'when',              'string',  false, 1,    4000,     false, null, null, 'A jsonpath predicate on that step''s results; any success by default.'),
  ('dependency', 3, 'on',                'string',  false, null, null,     false, null, '{complete,failed,ended}', 'The end of that step that it waits for: complete (the default), failed for good, or ended in one of these ways.');
-- <<<

-- >>> db/schema/rows/kernel/template/template_problems.sql
create or replace view tasker.template_problems as
select
  ''::text as path,
  ''::text as problem,
  null::text as hint
where false;

comment on view tasker.template_problems is
  'Row type: a problem of a template.';
comment on column tasker.template_problems.path is
  'The place of the problem in the template, for example steps[2].retry.max_attempts, where indexes count from 0. Empty if the problem concerns the whole template.';
-- <<<

-- >>> db/schema/rows/kernel/create/template_registrations.sql
create or replace view tasker.template_registrations as
select
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  0::integer as step_count,
  ''::bytea as content_hash,
  false::boolean as created,
  null::timestamptz as retired_at
where false;

comment on view tasker.template_registrations is
  'Row type: the outcome of a registration.';
comment on column tasker.template_registrations.created is
  'Whether this call registered the version. False if the same content was already registered.';
-- <<<

-- >>> db/schema/rows/kernel/template/task_templates.sql
create or replace view tasker.task_templates as
select
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  null::text as description,
  ''::text as identity_strategy,
  ''::text as on_failure,
  0::integer as step_count,
  ''::bytea as content_hash,
  '-infinity'::timestamptz as created_at,
  null::timestamptz as retired_at,
  '{}'::jsonb as template
where false;

comment on view tasker.task_templates is
  'Row type: a registered template.';
comment on column tasker.task_templates.template is
  'The template in its normal form, defaults filled in. Registering it again changes nothing.';
-- <<<

-- >>> db/schema/rows/kernel/template/task_template_summaries.sql
create or replace view tasker.task_template_summaries as
select
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  null::text as description,
  ''::text as identity_strategy,
  ''::text as on_failure,
  0::integer as step_count,
  '-infinity'::timestamptz as created_at,
  null::timestamptz as retired_at
where false;

comment on view tasker.task_template_summaries is
  'Row type: a registered template in a list, without its steps.';
-- <<<

-- >>> db/schema/functions/kernel/template/private/nearest_name.sql
create or replace function tasker.nearest_name(p_name text, p_names text[])
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Compare the pairs of neighbouring letters, with the ends of a name counted as letters: the similarity is the share
  -- of pairs that both names have. It finds typing errors, and also "timeout" for "timeout_seconds".
  return (
    with given (pair) as (
      select distinct substr(x.padded, i, 2)
        from (select '^' || lower(left(p_name, 128)) || '$' as padded) as x
       cross join generate_series(1, length(x.padded) - 1) as i
    ),
    likeness as (
      select
        n.name,
        2.0 * count(g.pair) / (count(*) + (select count(*) from given)) as share
      from unnest(p_names) as n (name)
      cross join lateral (
        select distinct substr('^' || lower(n.name) || '$', i, 2) as pair
          from generate_series(1, length(n.name) + 1) as i
      ) as p
      left join given as g
        on g.pair = p.pair
      group by n.name
    )
    select l.name
      from likeness as l
     where l.share >= 0.35
     order by l.share desc, l.name
     limit 1
  );
end;
$$;

comment on function tasker.nearest_name is
$$Returns the name that a mistyped name most likely means. Returns null if no name is similar.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/graph_levels.sql
create or replace function tasker.graph_levels(p_nodes integer, p_from integer[], p_to integer[])
  returns integer[]
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_levels  integer[] := array_fill(0, array[p_nodes]);
  v_parents integer[] := array_fill(0, array[p_nodes]);
  v_first   integer[] := array_fill(0, array[p_nodes]);
  v_next    integer[] := array_fill(0, array[cardinality(p_from)]);
  v_queue   integer[] := array_fill(0, array[p_nodes]);
  v_tail    integer := 0;
  v_head    integer := 0;
  v_node    integer;
  v_child   integer;
  v_edge    integer;
begin
  -- This is Kahn's algorithm with arrays, which visits each node and edge once. A single statement cannot compute the
  -- levels in linear time. A recursive union finds reachable nodes but not the longest path, and one statement for each
  -- level makes a long chain expensive.
  for i in 1 .. cardinality(p_from) loop
    v_next[i] := v_first[p_from[i]];
    v_first[p_from[i]] := i;
    v_parents[p_to[i]] := v_parents[p_to[i]] + 1;
  end loop;
  for i in 1 .. p_nodes loop
    if v_parents[i] = 0 then
      v_tail := v_tail + 1;
      v_queue[v_tail] := i;
    end if;
  end loop;

  while v_head < v_tail loop
    v_head := v_head + 1;
    v_node := v_queue[v_head];
    v_edge := v_first[v_node];
    while v_edge > 0 loop
      v_child := p_to[v_edge];
      v_levels[v_child] := greatest(v_levels[v_child], v_levels[v_node] + 1);
      v_parents[v_child] := v_parents[v_child] - 1;
      if v_parents[v_child] = 0 then
        v_tail := v_tail + 1;
        v_queue[v_tail] := v_child;
      end if;
      v_edge := v_next[v_edge];
    end loop;
  end loop;

  if v_tail < p_nodes then
    for i in 1 .. p_nodes loop
      if v_parents[i] > 0 then
        v_levels[i] := -1;
      end if;
    end loop;
  end if;
  return v_levels;
end;
$$;

comment on function tasker.graph_levels is
$$Returns the level of each node 1 to p_nodes of a graph: 0 for a node without parents, -1 for a node on a cycle or below a cycle, and otherwise 1 more than the highest level of its parents.

The two arrays hold the edges as pairs. The cost is linear in the number of nodes and edges.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/graph_cycle.sql
create or replace function tasker.graph_cycle(p_levels integer[], p_from integer[], p_to integer[])
  returns integer[]
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_parent integer[] := array_fill(0, array[cardinality(p_levels)]);
  v_seen   boolean[] := array_fill(false, array[cardinality(p_levels)]);
  v_node   integer := array_position(p_levels, -1);
  v_start  integer;
  v_cycle  integer[] := '{}';
begin
  if v_node is null then
    return null;
  end if;

  -- Each node without a level has a parent without a level, so the path from parent to parent ends in a cycle.
  for i in 1 .. cardinality(p_from) loop
    if p_levels[p_from[i]] = -1 and p_levels[p_to[i]] = -1 then
      v_parent[p_to[i]] := p_from[i];
    end if;
  end loop;
  while not v_seen[v_node] loop
    v_seen[v_node] := true;
    v_node := v_parent[v_node];
  end loop;

  v_start := v_node;
  loop
    v_cycle := v_cycle || v_node;
    v_node := v_parent[v_node];
    exit when v_node = v_start;
  end loop;

  -- List parents first, and begin with the lowest number.
  select array_agg(c.node order by c.place desc)
    into v_cycle
    from unnest(v_cycle) with ordinality as c (node, place);
  select array_position(v_cycle, min(c.node))
    into v_start
    from unnest(v_cycle) as c (node);
  return v_cycle[v_start :] || v_cycle[: v_start - 1];
end;
$$;

comment on function tasker.graph_cycle is
$$Returns the nodes of a cycle of a graph, or null if the graph has no cycle. Each node is the parent of the next node, and the last node is the parent of the first. The list begins with the lowest number.

p_levels is the result of tasker.graph_levels for the same graph. The cost is linear in the number of nodes and edges.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/graph_distances.sql
create or replace function tasker.graph_distances(
  p_nodes   integer,
  p_starts  integer[],
  p_from    integer[],
  p_to      integer[]
)
  returns integer[]
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_distances integer[] := array_fill(-1, array[p_nodes]);
  v_first     integer[] := array_fill(0, array[p_nodes]);
  v_next      integer[] := array_fill(0, array[cardinality(p_from)]);
  v_queue     integer[] := array_fill(0, array[p_nodes]);
  v_tail      integer := 0;
  v_head      integer := 0;
  v_node      integer;
  v_edge      integer;
begin
  -- Search breadth first, with arrays, so that each node is reached once, by the shortest path.
  for i in 1 .. cardinality(p_from) loop
    v_next[i] := v_first[p_from[i]];
    v_first[p_from[i]] := i;
  end loop;
  foreach v_node in array p_starts loop
    v_distances[v_node] := 0;
    v_tail := v_tail + 1;
    v_queue[v_tail] := v_node;
  end loop;

  while v_head < v_tail loop
    v_head := v_head + 1;
    v_node := v_queue[v_head];
    v_edge := v_first[v_node];
    while v_edge > 0 loop
      if v_distances[p_to[v_edge]] < 0 then
        v_distances[p_to[v_edge]] := v_distances[v_node] + 1;
        v_tail := v_tail + 1;
        v_queue[v_tail] := p_to[v_edge];
      end if;
      v_edge := v_next[v_edge];
    end loop;
  end loop;
  return v_distances;
end;
$$;

comment on function tasker.graph_distances is
$$Returns the length of the shortest path to each node 1 to p_nodes of a graph from any of the start nodes. The length is -1 if there is no path.

The last two arrays hold the edges as pairs. Swap the arrays to go up instead of down. The cost is linear in the number of nodes and edges.$$;
-- <<<

-- >>> db/schema/functions/kernel/time/private/wait_seconds.sql
create or replace function tasker.wait_seconds(p_duration jsonb)
  returns numeric
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_parts   text[];
  v_seconds numeric;
begin
  if jsonb_typeof(p_duration) = 'number' then
    v_seconds := p_duration::numeric;
  elsif jsonb_typeof(p_duration) = 'string' then
    v_parts := regexp_match(p_duration #>> '{}', '^(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)(s|m|h|d|w)$');
    v_seconds := v_parts[1]::numeric * case v_parts[2]
      when 's' then 1 when 'm' then 60 when 'h' then 3600 when 'd' then 86400 when 'w' then 604800
    end;
  end if;
  return case when v_seconds <= 315360000 then trim_scale(ceil(greatest(v_seconds, 0) * 1000) / 1000) end;
end;
$$;

comment on function tasker.wait_seconds is
$$Returns a duration in seconds, from a number or a text such as 90s, 30m, 12h, 3d or 2w. A day has 86,400 seconds. The duration is rounded up to the millisecond. A negative duration becomes 0, because a wait until a past time ends at once. Returns null if the value is no duration or exceeds 315,360,000 seconds.$$;
-- <<<

-- >>> db/schema/functions/kernel/time/private/instant_of.sql
create or replace function tasker.instant_of(p_text text)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set datestyle = 'ISO, YMD'
  set timezone = 'UTC'
as $$
begin
  if p_text ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)$' then
    return p_text::timestamptz;
  end if;
  return null;
exception
  when data_exception then
    return null;
end;
$$;

comment on function tasker.instant_of is
$$Returns the instant that a text such as 2026-12-24T18:00:00Z names: a date, a time and an offset from UTC. Returns null for any other text, so that the result does not depend on the session's time zone.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/schema_problem.sql
create or replace function tasker.schema_problem(p_schema jsonb, p_path text, p_depth integer default 1)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
  v_key     text;
  v_value   jsonb;
begin
  if jsonb_typeof(p_schema) <> 'object' then
    return p_path || ' must be an object';
  elsif p_depth > 16 then
    return p_path || ' is nested deeper than 16 levels';
  end if;

  for v_key, v_value in select f.key, f.value from jsonb_each(p_schema) as f loop
    v_problem := case
      when v_key in ('title', 'description', 'default', 'format', 'examples') then null -- notes
      when v_key not in ('type', 'properties', 'required', 'enum', 'minimum', 'maximum', 'maxLength', 'items')
        then 'is not supported; the keywords are type, properties, required, enum, minimum, maximum, maxLength and items, and title, description, default, format and examples as notes'
      when v_key = 'type' and (v_value = '[]' or not v_value <@ '["object", "array", "string", "number", "integer", "boolean", "null"]')
        then 'must be object, array, string, number, integer, boolean or null, or a list of these'
      when v_key = 'properties' and jsonb_typeof(v_value) <> 'object' then 'must be an object'
      when v_key = 'enum' and coalesce(case when jsonb_typeof(v_value) = 'array' then jsonb_array_length(v_value) = 0 end, true)
        then 'must be an array with an element'
      when v_key = 'required' and (
        jsonb_typeof(v_value) <> 'array' or jsonb_path_exists(v_value, '$[*] ? (@.type() != "string")')
      ) then 'must be an array of names'
      when v_key in ('minimum', 'maximum') and jsonb_typeof(v_value) <> 'number' then 'must be a number'
      when v_key = 'maxLength' and not (v_value #>> '{}' ~ '^[0-9]{1,9}$' and jsonb_typeof(v_value) = 'number')
        then 'must be a whole number from 0'
    end;
    if v_problem is not null then
      return format('%s.%s %s', p_path, left(v_key, 100), v_problem);
    elsif v_key = 'items' then
      v_problem := tasker.schema_problem(v_value, p_path || '.items', p_depth + 1);
    elsif v_key = 'properties' then
      -- Each property is checked only once. A second check at each level would make the cost exponential in the depth.
      select p.problem
        into v_problem
        from jsonb_each(v_value) as f
       cross join lateral (
         select tasker.schema_problem(f.value, format('%s.properties.%s', p_path, left(f.key, 100)), p_depth + 1) as problem
         offset 0
       ) as p
       where p.problem is not null
       limit 1;
    end if;
    if v_problem is not null then
      return v_problem;
    end if;
  end loop;
  return null;
end;
$$;

comment on function tasker.schema_problem is
$$Returns the path of the problem, followed by the reason why an object cannot be the schema of a payload or of a task's input. Returns null if the object can be a schema. The enforced keywords are type, properties, required, enum, minimum, maximum, maxLength and items. The keywords title, description, default, format and examples are notes and refuse nothing. Any other keyword is refused, so that no schema promises more than is checked.$$;
-- <<<

-- >>> db/schema/functions/features/inputs/private/input_schema_problems.sql
create or replace function tasker.input_schema_problems(p_schema jsonb)
  returns setof tasker.template_problems
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text := tasker.schema_problem(p_schema, 'input_schema');
begin
  if octet_length(p_schema::text) > 16384 then
    return query select 'input_schema', 'has more than 16,384 bytes', 'Leave to the first step what a schema of this size is to check.';
  elsif v_problem is not null then
    return query
    select split_part(v_problem, ' ', 1), substr(v_problem, strpos(v_problem, ' ') + 1), 'Other keywords are refused, so that no schema promises more than is checked.';
  elsif p_schema ? 'type' and not p_schema -> 'type' ? 'object' then
    return query select 'input_schema.type', 'must be object', 'The context of a task is a JSON object.';
  end if;
end;
$$;

comment on function tasker.input_schema_problems is
$$Returns the problems of a template's input schema: it is too large, has unknown or invalid keywords, or no object fits it.$$;
-- <<<

-- >>> db/schema/functions/features/triggers/private/normalize_triggers.sql
create or replace function tasker.normalize_triggers(p_triggers jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  -- The context belongs to the user, so it is added after nulls are stripped.
  select jsonb_agg(
      jsonb_strip_nulls(jsonb_build_object(
        'event', t.value -> 'event',
        'key', t.value -> 'key',
        'when', (t.value ->> 'when')::jsonpath::text,
        'identity', t.value -> 'identity'
      )) || case when jsonb_typeof(t.value -> 'context') = 'object' then jsonb_build_object('context', t.value -> 'context') else '{}' end
      order by t.no
    )
    from jsonb_array_elements(
      case jsonb_typeof(p_triggers) when 'array' then p_triggers when 'object' then jsonb_build_array(p_triggers) end
    ) with ordinality as t (value, no);
end;

comment on function tasker.normalize_triggers is
$$Returns the field start_on or cancel_on of a valid template as a list in normal form, or null if the field is missing.$$;
-- <<<

-- >>> db/schema/functions/features/triggers/private/event_trigger_problems.sql
create or replace function tasker.event_trigger_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_keyed boolean := coalesce(p_template ->> 'identity_strategy', 'strict') = 'caller_provided';
begin
  return query
  select l.field || case when l.listed then format('[%s]', t.no - 1) else '' end || coalesce('.' || x.path, ''), x.problem, x.hint
    from (
      select f.field, p_template -> f.field as value, jsonb_typeof(p_template -> f.field) = 'array' as listed
        from unnest('{start_on,cancel_on}'::text[]) as f (field)
       where jsonb_typeof(p_template -> f.field) in ('array', 'object')
    ) as l
   cross join jsonb_array_elements(case when l.listed then l.value else jsonb_build_array(l.value) end) with ordinality as t (value, no)
   cross join lateral (
     select 'when' as path, format('"%s" is not a jsonpath predicate', left(t.value ->> 'when', 100)) as problem,
            tasker.condition_error(t.value ->> 'when') || ' For example: $.amount > 100.' as hint
      where tasker.condition_error(t.value ->> 'when') is not null
     union all
     select 'identity', 'has no meaning without the identity strategy "caller_provided"', 'The tasks of the template have no keys.'
      where not v_keyed
        and t.value ->> 'identity' is not null
     union all
     select null, 'needs the identity strategy "caller_provided"', 'An event cancels the task of a key.'
      where not v_keyed
        and l.field = 'cancel_on'
     union all
     select 'identity', format('"%s" is not a jsonpath', left(t.value ->> 'identity', 100)), tasker.condition_error(t.value ->> 'identity') || ' For example: $.order.'
      where t.value ->> 'identity' like '$%'
        and tasker.condition_error(t.value ->> 'identity') is not null
     union all
     select
       'context.' || left(f.key, 100),
       case when jsonb_typeof(f.value) = 'object' then 'refers to a step' else format('"%s" is not a jsonpath', left(f.value #>> '{}', 100)) end,
       case when jsonb_typeof(f.value) = 'object' then 'An event comes before all steps. A constant object is {"value": …}.' else tasker.condition_error(f.value #>> '{}') || ' For example: $.order.id.' end
       from jsonb_each(case when jsonb_typeof(t.value -> 'context') = 'object' then t.value -> 'context' end) as f
      where tasker.is_child_reference(f.value)
        and (jsonb_typeof(f.value) = 'object' or tasker.condition_error(f.value #>> '{}') is not null)
   ) as x
   limit 20;
end;
$$;

comment on function tasker.event_trigger_problems is
$$Returns the problems of the fields start_on and cancel_on of a well-formed template: invalid conditions and paths, and identities although the template's tasks have no keys.$$;
-- <<<

-- >>> db/schema/functions/features/triggers/private/insert_triggers.sql
create or replace function tasker.insert_triggers(p_named_task_uuid uuid, p_template jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into tasker.event_triggers (named_task_uuid, trigger_no, action, namespace, event, event_key, condition, context, identity)
  select
    p_named_task_uuid, row_number() over (order by x.action, t.no), x.action, p_template ->> 'namespace', t.value ->> 'event',
    t.value ->> 'key', t.value ->> 'when', t.value -> 'context', t.value ->> 'identity'
  from (values ('start', p_template -> 'start_on'), ('cancel', p_template -> 'cancel_on')) as x (action, list)
  cross join jsonb_array_elements(x.list) with ordinality as t (value, no);
end;
$$;

comment on function tasker.insert_triggers is
$$Inserts the events that start and cancel tasks of a new version of a template. p_template is in normal form.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/run_problems.sql
create or replace function tasker.run_problems(p_runs jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tasker.condition_error(p_runs ->> 'key') is not null then
    return query
    select 'runs.key', format('"%s" is not a jsonpath', left(p_runs ->> 'key', 100)), tasker.condition_error(p_runs ->> 'key') || ' For example: $.customer.';
  end if;
  if p_runs -> 'sequence' = 'true' and coalesce((p_runs ->> 'max')::numeric, 1) <> 1 then
    return query select 'runs.max', 'must be 1 in a sequence', 'A sequence runs strictly one task after the other.';
  end if;
  if p_runs -> 'sequence' = 'true' and p_runs ->> 'further' = 'cancel_running' then
    return query
    select 'runs.further', 'cannot be cancel_running in a sequence', 'A failed task holds up its sequence and cannot be cancelled. Use wait, skip, refuse or replace_waiting.';
  end if;
end;
$$;

comment on function tasker.run_problems is
$$Returns the problems of the field "runs" of a well-formed template: a key that is not a path, a sequence that runs several tasks at once or cancels running tasks.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/normalize_runs.sql
create or replace function tasker.normalize_runs(p_runs jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when jsonb_typeof(p_runs) = 'object' then jsonb_strip_nulls(jsonb_build_object(
    'key', (p_runs ->> 'key')::jsonpath::text,
    'max', coalesce((p_runs ->> 'max')::numeric::integer, 1),
    'order', coalesce(p_runs ->> 'order', 'created'),
    'further', coalesce(p_runs ->> 'further', 'wait'),
    'sequence', coalesce((p_runs ->> 'sequence')::boolean, false)
  )) end;
end;

comment on function tasker.normalize_runs is
$$Returns the field "runs" of a valid template in normal form, with its defaults, or null if the template does not have this field.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/attribute_problems_of.sql
create or replace function tasker.attribute_problems_of(p_template jsonb, p_name text, p_attribute jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_path      text  := format('attributes[%s]', to_json(left(p_name, 100)));
  v_attribute jsonb := case when jsonb_typeof(p_attribute) = 'string' then jsonb_build_object('context', p_attribute) else p_attribute end;
  v_type      text;
  v_known     text;
begin
  if p_name !~ '^[a-z][a-z0-9_]{0,39}$' then
    return query select v_path, 'is no name of an attribute', 'A name is a lower-case letter, then at most 39 lower-case letters, digits and underscores.';
  end if;
  if jsonb_typeof(v_attribute) <> 'object' or v_attribute - '{type,context,results}'::text[] <> '{}'
     or coalesce(jsonb_typeof(nullif(v_attribute -> 'type', 'null')), 'string') <> 'string'
     or coalesce(jsonb_typeof(nullif(v_attribute -> 'context', 'null')), 'string') <> 'string'
     or coalesce(jsonb_typeof(nullif(v_attribute -> 'results', 'null')), 'object') <> 'object'
     or jsonb_path_exists(v_attribute, '$.results.* ? (@.type() != "string")') then
    return query
    select v_path, 'is neither a path of the context nor an object of type, context and results',
           'Write "$.customer", or {"type": "number", "context": "$.total", "results": {"price": "$.total"}}.';
    return;
  end if;
  if v_attribute ->> 'context' is null and coalesce(nullif(v_attribute -> 'results', 'null'), '{}') = '{}' then
    return query select v_path, 'has no source', 'Name a path of the context, or steps with a path of their results.';
  end if;
  v_type := coalesce(v_attribute ->> 'type', 'text');
  if v_type not in ('text', 'number', 'time') then
    return query select v_path || '.type', format('"%s" is no type', left(v_type, 40)), 'The types are text, number and time.';
  end if;
  select n.type into v_known from tasker.attributes as n where n.namespace = p_template ->> 'namespace' and n.name = p_name;
  if v_known <> v_type then
    return query
    select v_path || '.type', format('is %s; in the namespace "%s" the attribute is a %s', left(v_type, 40), p_template ->> 'namespace', v_known),
           'All templates and versions of a namespace share the type of an attribute. Choose another name for another type.';
  end if;
  return query
  select
    v_path || '.' || p.field,
    case when p.error is not null then format('"%s" is no path', left(p.path, 100))
         when p.step is not null and s.value is null then format('names the step "%s", which the template does not have', left(p.step, 100))
         else format('names the step "%s", a map, whose result is gathered when it is read', left(p.step, 100)) end,
    case when p.error is not null then p.error || ' For example: $.customer.id.'
         when s.value is null then 'Name a step of this template whose result has the value.'
         else 'Name a step after the map that returns the value.' end
    from (
      select f.*, case when f.path !~ '^\s*((lax|strict)\s+)?\$' then 'A path begins with $.' else tasker.condition_error(f.path) end as error
        from (
          select 'context' as field, null::text as step, v_attribute ->> 'context' as path
           where v_attribute ->> 'context' is not null
          union all
          select format('results[%s]', to_json(left(r.key, 100))), r.key, r.value
            from jsonb_each_text(nullif(v_attribute -> 'results', 'null')) as r
        ) as f
    ) as p
    left join lateral (
      select s.value from jsonb_array_elements(p_template -> 'steps') as s (value) where s.value ->> 'name' = p.step limit 1
    ) as s on true
   where p.error is not null
      or p.step is not null and (s.value is null or coalesce(s.value -> 'for_each', 'null') <> 'null');
end;
$$;

comment on function tasker.attribute_problems_of is
$$Returns the problems of one attribute of a template.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/attribute_declaration_problems.sql
create or replace function tasker.attribute_declaration_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if (select count(*) from jsonb_object_keys(p_template -> 'attributes')) > 8 then
    return query select 'attributes', 'has more than 8 attributes', 'Keep the attributes by which tasks are searched. The context and the results have the rest.';
    return;
  end if;
  return query
  select x.*
    from jsonb_each(p_template -> 'attributes') as a
   cross join lateral tasker.attribute_problems_of(p_template, a.key, a.value) as x
   order by a.key
   limit 20;
end;
$$;

comment on function tasker.attribute_declaration_problems is
$$Returns the problems of a template's field "attributes": too many attributes, malformed names, types and paths, unsuitable steps, and types that differ from the types in other templates of the namespace.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/normal_attributes.sql
create or replace function tasker.normal_attributes(p_attributes jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(jsonb_object_agg(a.key, jsonb_strip_nulls(jsonb_build_object(
      'type', coalesce(a.value ->> 'type', 'text'),
      'context', (case when jsonb_typeof(a.value) = 'string' then a.value #>> '{}' else a.value ->> 'context' end)::jsonpath::text,
      'results', (
        select jsonb_object_agg(r.key, r.value::jsonpath::text)
          from jsonb_each_text(nullif(a.value -> 'results', 'null')) as r
      )
    ))), '{}')
    from jsonb_each(p_attributes) as a;
end;

comment on function tasker.normal_attributes is
$$Returns the field "attributes" of a valid template in normal form: each attribute is an object with its type, its path in the context, and its paths in results by step.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/declare_attributes.sql
create or replace function tasker.declare_attributes(p_named_task_uuid uuid, p_template jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_namespace text := p_template ->> 'namespace';
  v_wrong     record;
begin
  insert into tasker.attributes (namespace, name, type)
  select v_namespace, a.key, a.value ->> 'type'
    from jsonb_each(p_template -> 'attributes') as a
   where not exists (select from tasker.attributes as n where n.namespace = v_namespace and n.name = a.key)
   order by a.key
  on conflict (namespace, name) do nothing;

  -- A second statement sees the attributes that another session declared meanwhile.
  select a.key as name, n.type into v_wrong
    from jsonb_each(p_template -> 'attributes') as a
    join tasker.attributes as n
      on n.namespace = v_namespace
     and n.name = a.key
   where n.type <> a.value ->> 'type'
   order by a.key
   limit 1;
  if found then
    raise exception using
      errcode = 'TK422',
      message = format('in the namespace "%s" the attribute "%s" is a %s', v_namespace, v_wrong.name, v_wrong.type),
      hint    = 'All templates and versions of a namespace share the type of an attribute. Choose another name for another type.';
  end if;

  insert into tasker.template_attributes (named_task_uuid, step_no, attribute_no, path)
  select p_named_task_uuid, 0, n.attribute_no, (a.value ->> 'context')::jsonpath
    from jsonb_each(p_template -> 'attributes') as a
    join tasker.attributes as n
      on n.namespace = v_namespace
     and n.name = a.key
   where a.value ? 'context'
  union all
  select p_named_task_uuid, s.step_no, n.attribute_no, r.value::jsonpath
    from jsonb_each(p_template -> 'attributes') as a
    join tasker.attributes as n
      on n.namespace = v_namespace
     and n.name = a.key
   cross join jsonb_each_text(a.value -> 'results') as r
    join tasker.named_tasks_named_steps as s
      on s.named_task_uuid = p_named_task_uuid
     and s.step_name = r.key;
  update tasker.named_tasks_named_steps as s
     set effects = s.effects | 128::smallint
   where s.named_task_uuid = p_named_task_uuid
     and exists (
       select from tasker.template_attributes as d where d.named_task_uuid = s.named_task_uuid and d.step_no = s.step_no
     );
end;
$$;

comment on function tasker.declare_attributes is
$$Writes the attributes of a new version of a template, and marks the steps whose results are the source of an attribute. Raises TK422 if another session has declared an attribute with another type meanwhile.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/is_sealed.sql
create or replace function tasker.is_sealed(p_value jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(
    jsonb_typeof(p_value -> 'pgtasker') = 'object'
    and jsonb_typeof(p_value #> '{pgtasker,alg}') = 'string'
    and jsonb_typeof(p_value #> '{pgtasker,kid}') = 'string'
    and jsonb_typeof(p_value #> '{pgtasker,for}') = 'string'
    and jsonb_typeof(p_value #> '{pgtasker,ct}') = 'string'
    and coalesce(jsonb_typeof(p_value #> '{pgtasker,hash}'), 'string') = 'string'
    and (p_value -> 'pgtasker') - '{alg,kid,for,ct,hash}'::text[] = '{}',
    false
  );
end;

comment on function tasker.is_sealed is
$$Returns true if a value has the form of an encrypted payload: an object with the envelope in its field "pgtasker". The object may also have fields in the clear. Only a holder of the key knows whether the ciphertext is valid.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/is_sealed_error.sql
create or replace function tasker.is_sealed_error(p_error text)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select starts_with(p_error, 'pgtasker: ')
      or p_error ~ '^encrypted [^\n]{1,250}\nDETAIL: [{]"pgtasker": ?[{][^\n]*[}][}]$';
end;

comment on function tasker.is_sealed_error is
$$Returns true if the text of an error has the encrypted form that clients with a key write: the class of the error and a keyed hash in the first line, the envelope in the second line. Also returns true for errors of the clients themselves, which begin with "pgtasker: " and contain no payload.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/clear_path.sql
create or replace function tasker.clear_path(p_path text, p_clear jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- Each reference to the root $, also in a filter, must be followed by a field that is in the clear. References to
  -- $inputs are allowed.
  select p_path ~ '^\s*((lax|strict)\s+)?\$(inputs)?\s*\.'
     and not exists (
       select
         from regexp_matches(p_path, '\$(inputs\M)?(\s*\.\s*("[^"\\]*"|[A-Za-z_][A-Za-z0-9_]*))?', 'g') as m
        where m[1] is null
          and not p_clear ? coalesce(btrim(m[3], '"'), '')
     );
end;

comment on function tasker.clear_path is
$$Returns true if a path reads only fields of the context that are in the clear, or inputs of the step.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/normal_encryption.sql
create or replace function tasker.normal_encryption(p_encrypted jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select jsonb_build_object('clear', coalesce(jsonb_agg(distinct c.value order by c.value), '[]'))
    from jsonb_array_elements(coalesce(nullif(p_encrypted -> 'clear', 'null'), '[]')) as c (value);
end;

comment on function tasker.normal_encryption is
$$Returns a valid field "encrypted" of a template in normal form: an object with the sorted names of the fields in the clear.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/encryption_step_problems.sql
create or replace function tasker.encryption_step_problems(p_template jsonb, p_clear jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_hint constant text := 'The database cannot read encrypted values: name the field of the context in "encrypted.clear", or decide in a handler.';
begin
  return query
  select format('steps[%s].%s', s.no - 1, x.path), x.problem, v_hint
    from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
   cross join lateral (
     select format('dependencies[%s].when', d.no - 1) as path, 'is a condition on a result, which is encrypted' as problem
       from jsonb_array_elements(case when jsonb_typeof(s.value -> 'dependencies') = 'array' then s.value -> 'dependencies' end) with ordinality as d (value, no)
      where d.value ->> 'when' is not null
     union all
     select 'for_each', 'is an array of a result, which is encrypted'
      where jsonb_typeof(s.value -> 'for_each') = 'object'
     union all
     select 'for_each', format('"%s" is no field of the context in the clear', left(s.value ->> 'for_each', 100))
      where jsonb_typeof(s.value -> 'for_each') = 'string'
        and not tasker.clear_path(s.value ->> 'for_each', p_clear)
     union all
     select f.name, format('"%s" is no field of the context in the clear', left(l.value ->> f.name, 100))
       from jsonb_array_elements(jsonb_build_array(s.value) || case when jsonb_typeof(s.value -> 'limits') = 'array' then s.value -> 'limits' else '[]' end) as l (value)
      cross join unnest('{limit_key,limit_bound}'::text[]) as f (name)
      where jsonb_typeof(l.value) = 'object'
        and not tasker.clear_path(l.value ->> f.name, p_clear)
     union all
     select 'await.' || f.name, case when f.name in ('when', 'schema')
         then 'checks the payload of a signal, which is encrypted'
         else format('"%s" is no field of the context in the clear', left(a.value ->> f.name, 100)) end
       from jsonb_array_elements(case jsonb_typeof(s.value -> 'await') when 'array' then s.value -> 'await' when 'object' then jsonb_build_array(s.value -> 'await') end) as a (value)
      cross join unnest('{when,schema,key,until}'::text[]) as f (name)
      where a.value ->> f.name is not null
        and case when f.name in ('when', 'schema') then a.value ? 'signal'
              else a.value ->> f.name like '$%' and not tasker.clear_path(a.value ->> f.name, p_clear) end
     union all
     select 'task.context', format('%s is a part of an encrypted value', left(r.value::text, 100))
       from jsonb_each(case
           when jsonb_typeof(s.value #> '{task,context}') is distinct from 'object' then '{}'
           when tasker.is_child_reference(s.value #> '{task,context}') then jsonb_build_object('', s.value #> '{task,context}')
           else s.value #> '{task,context}'
         end) as r
      where tasker.is_child_reference(r.value)
        and case
          when jsonb_typeof(r.value) = 'string' then r.value <> '"$"' and not tasker.clear_path(r.value #>> '{}', p_clear)
          when r.value ? 'step' then coalesce(r.value ->> 'path', '$') <> '$'
          else coalesce(r.value ->> 'path', '$') <> '$' and not tasker.clear_path(r.value ->> 'path', p_clear)
        end
     union all
     select case when s.value ->> 'sql' is null then 'compensate' else 'sql' end, 'is a function of the database, which cannot read its input'
      where s.value ->> 'sql' is not null
         or s.value ->> 'compensate' like 'sql:%'
   ) as x
   order by s.no
   limit 20;
end;
$$;

comment on function tasker.encryption_step_problems is
$$Returns the problems of steps for which the database would have to read an encrypted value: conditions, maps, keys of limits and events, schemas, parts of values for other tasks, and SQL functions.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/encryption_problems.sql
create or replace function tasker.encryption_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_encrypted jsonb := p_template -> 'encrypted';
  v_clear     jsonb := coalesce(nullif(v_encrypted -> 'clear', 'null'), '[]');
begin
  if v_encrypted - 'clear' <> '{}' then
    return query select 'encrypted', 'has a field other than "clear"', 'Write {"clear": ["customer"]}, or {} if no field is in the clear.';
    return;
  elsif jsonb_typeof(v_clear) <> 'array' or jsonb_array_length(v_clear) > 20
     or jsonb_path_exists(v_clear, '$[*] ? (@.type() != "string" || @ == "pgtasker" || !(@ like_regex "^[A-Za-z_][A-Za-z0-9_]{0,62}$"))') then
    return query
    select 'encrypted.clear', 'is not a list of at most 20 names of fields of the context',
           'A name is a letter or an underscore, then at most 62 of these and digits: {"clear": ["customer"]}.';
    return;
  end if;

  if jsonb_typeof(p_template -> 'input_schema') = 'object' then
    return query
    select 'input_schema', format('checks the field "%s", which is encrypted', left(f.name, 100)),
           'The database cannot read the field: name it in "encrypted.clear", or check it in the first step.'
      from (
        select jsonb_object_keys(case when jsonb_typeof(p_template #> '{input_schema,properties}') = 'object' then p_template #> '{input_schema,properties}' else '{}' end) as name
        union
        select jsonb_array_elements_text(case when jsonb_typeof(p_template #> '{input_schema,required}') = 'array' then p_template #> '{input_schema,required}' else '[]' end)
      ) as f
     where not v_clear ? f.name;
  end if;
  if p_template -> 'start_on' <> 'null' then
    return query
    select 'start_on', 'starts tasks with a context from the payload of an event, which is not encrypted',
           'Let the receiver of the event create the task with a client that has the key.';
  end if;
  if not tasker.clear_path(p_template #>> '{runs,key}', v_clear) then
    return query
    select 'runs.key', format('"%s" is no field of the context in the clear', left(p_template #>> '{runs,key}', 100)),
           'All tasks would have one key: name the field in "encrypted.clear".';
  end if;
  return query
  select format('attributes[%s]', to_json(left(a.key, 100))), case when c.path is null then 'is a part of a result, which is encrypted'
           else format('"%s" is no field of the context in the clear', left(c.path, 100)) end,
         'The database cannot read encrypted values: name the field of the context in "encrypted.clear".'
    from jsonb_each(case when jsonb_typeof(p_template -> 'attributes') = 'object' then p_template -> 'attributes' end) as a
   cross join lateral (
     select case when jsonb_typeof(a.value) = 'string' then a.value #>> '{}' else a.value ->> 'context' end as path
      where jsonb_typeof(a.value) = 'string'
         or a.value ->> 'context' is not null
     union all
     select null where coalesce(nullif(a.value -> 'results', 'null'), '{}') <> '{}'
   ) as c
   where c.path is null
      or not tasker.clear_path(c.path, v_clear)
   limit 20;
  return query select p.* from tasker.encryption_step_problems(p_template, v_clear) as p;
end;
$$;

comment on function tasker.encryption_problems is
$$Returns the problems of a template whose payloads are encrypted: an invalid list of fields in the clear, and parts for which the database would have to read an encrypted value.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/check_sealed_contexts.sql
create or replace function tasker.check_sealed_contexts(p_schema jsonb, p_task text, p_contexts jsonb[])
  returns void
  language plpgsql
  immutable
as $$
declare
  v_clear   text[] := array(select jsonb_array_elements_text(p_schema #> '{encrypted,clear}'));
  v_context jsonb;
begin
  foreach v_context in array p_contexts loop
    if not tasker.is_sealed(v_context) or v_context - 'pgtasker'::text - v_clear <> '{}' then
      raise exception using
        errcode = 'TK422',
        message = format('pgtasker: task "%s": the context is not encrypted', p_task),
        detail  = case when tasker.is_sealed(v_context)
          then 'A field beside the ciphertext is none of those that the template has in the clear.'
          else 'The template says that its payloads are encrypted before they leave the client.' end,
        hint    = format('Create the task with a client that has a codec. Fields in the clear: %s.', coalesce(nullif(array_to_string(v_clear, ', '), ''), 'none'));
    end if;
  end loop;
end;
$$;

comment on function tasker.check_sealed_contexts is
$$Raises TK422 for a context that is not encrypted, or has a field in the clear that the template does not name.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/refuse_plain.sql
create or replace function tasker.refuse_plain(p_step_uuid uuid, p_what text)
  returns void
  language plpgsql
  stable
as $$
begin
  raise exception using
    errcode = 'TK422',
    message = format('pgtasker: the %s of step %s is not encrypted', p_what, p_step_uuid),
    detail  = 'The template of its task says that payloads are encrypted before they leave the client.',
    hint    = 'Give the worker or the client a codec with a key: docs/howto/encrypted.md.';
end;
$$;

comment on function tasker.refuse_plain is
$$Raises TK422, because a payload for a step of an encrypted template is in the clear.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/taken_over.sql
create or replace function tasker.taken_over(p_forked_from text, p_result jsonb)
  returns boolean
  language plpgsql
  stable
as $$
begin
  -- An operator who moves a step may pass any metadata, so check the form first.
  if p_forked_from !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return false;
  end if;
  return exists (
    select
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(p_forked_from::uuid)
       and s.step_no = tasker.step_no_of(p_forked_from::uuid)
       and s.effects & 8192 <> 0
       and s.results = p_result
  );
end;
$$;

comment on function tasker.taken_over is
$$Returns true if p_result is the result of the step p_forked_from, and the payloads of that step are encrypted, too.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/check_sealed_value.sql
create or replace function tasker.check_sealed_value(p_step_uuid uuid, p_what text, p_value jsonb, p_error text)
  returns void
  language plpgsql
  stable
as $$
begin
  if p_error is not null and not tasker.is_sealed_error(p_error)
     or p_value is not null and p_value <> 'null' and not tasker.is_sealed(p_value) then
    perform tasker.refuse_plain(p_step_uuid, p_what);
  end if;
end;
$$;

comment on function tasker.check_sealed_value is
$$Raises TK422 if a value that a step of an encrypted template saves is in the clear. Such a value is a kept result, a checkpoint, a state, or the reason of a snooze.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/check_sealed_signal.sql
create or replace function tasker.check_sealed_signal(p_task_uuid uuid, p_named_task_uuid uuid, p_name text, p_payload jsonb)
  returns void
  language plpgsql
  stable
as $$
begin
  if p_payload not in ('{}', 'null') and not tasker.is_sealed(p_payload) and exists (
    select from tasker.creation_plans as k where k.named_task_uuid = p_named_task_uuid and k.input_schema ? 'encrypted'
  ) then
    raise exception using
      errcode = 'TK422',
      message = format('pgtasker: the payload of signal "%s" to task %s is not encrypted', p_name, p_task_uuid),
      detail  = 'The template of the task says that payloads are encrypted before they leave the client.',
      hint    = 'Send the signal with a client that has a codec, or send no payload.';
  end if;
end;
$$;

comment on function tasker.check_sealed_signal is
$$Raises TK422 if the payload of a signal is in the clear and the task's template is encrypted. Reads the template's row of tasker.creation_plans only if the payload is not encrypted.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/mark_sealed.sql
create or replace function tasker.mark_sealed(p_named_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.named_tasks_named_steps as s
     set effects = s.effects | 8192
   where s.named_task_uuid = p_named_task_uuid;
end;
$$;

comment on function tasker.mark_sealed is
$$Marks the steps of a template whose payloads are encrypted, so that the moves of these steps are checked.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/mark_sealed_additions.sql
create or replace function tasker.mark_sealed_additions(p_task_uuid uuid, p_last integer)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_plain integer;
begin
  if not exists (
    select
      from tasker.tasks as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
     where t.task_uuid = p_task_uuid
       and k.configuration ? 'encrypted'
  ) then
    return;
  end if;
  update tasker.workflow_steps as s
     set effects = s.effects | 8192
   where s.task_uuid = p_task_uuid
     and s.step_no > p_last;
  select min(s.step_no)
    into v_plain
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.step_no > p_last
     and s.inputs <> '{}'
     and not tasker.is_sealed(s.inputs);
  if v_plain is not null then
    perform tasker.refuse_plain(tasker.step_uuid(p_task_uuid, v_plain), 'initialization');
  end if;
end;
$$;

comment on function tasker.mark_sealed_additions is
$$Marks the steps that were added to a task whose payloads are encrypted, and raises TK422 if an added step has inputs in the clear. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/doors/registration/private/template_field_problems.sql
create or replace function tasker.template_field_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
as $$
begin
  if jsonb_typeof(p_template -> 'input_schema') = 'object' then
    return query select p.* from tasker.input_schema_problems(p_template -> 'input_schema') as p;
  end if;
  if jsonb_typeof(p_template -> 'encrypted') = 'object' then
    return query select p.* from tasker.encryption_problems(p_template) as p;
  end if;
  if p_template ?| '{start_on,cancel_on}' then
    return query select p.* from tasker.event_trigger_problems(p_template) as p;
  end if;
  if jsonb_typeof(p_template -> 'runs') = 'object' then
    return query select p.* from tasker.run_problems(p_template -> 'runs') as p;
  end if;
  if jsonb_typeof(p_template -> 'attributes') = 'object' then
    return query select p.* from tasker.attribute_declaration_problems(p_template) as p;
  end if;
end;
$$;

comment on function tasker.template_field_problems is
$$Door: returns the problems that features find in the fields of a template itself (not of its steps).$$;
-- <<<

-- >>> db/schema/functions/doors/registration/private/normal_fields.sql
create or replace function tasker.normal_fields(p_template jsonb)
  returns jsonb
  language plpgsql
  immutable
as $$
declare
  v_start  jsonb := tasker.normalize_triggers(p_template -> 'start_on');
  v_cancel jsonb := tasker.normalize_triggers(p_template -> 'cancel_on');
  v_runs   jsonb := tasker.normalize_runs(p_template -> 'runs');
begin
  return case when jsonb_typeof(p_template -> 'input_schema') = 'object' then jsonb_build_object('input_schema', p_template -> 'input_schema') else '{}' end
    || case when jsonb_typeof(p_template -> 'encrypted') = 'object' then jsonb_build_object('encrypted', tasker.normal_encryption(p_template -> 'encrypted')) else '{}' end
    || case when v_start is not null then jsonb_build_object('start_on', v_start) else '{}' end
    || case when v_cancel is not null then jsonb_build_object('cancel_on', v_cancel) else '{}' end
    || case when v_runs is not null then jsonb_build_object('runs', v_runs) else '{}' end
    || case when jsonb_typeof(p_template -> 'attributes') = 'object' then jsonb_build_object('attributes', tasker.normal_attributes(p_template -> 'attributes')) else '{}' end;
end;
$$;

comment on function tasker.normal_fields is
$$Door: returns, in normal form, those fields of a valid template that belong to features.$$;
-- <<<

-- >>> db/schema/functions/doors/registration/private/version_registered.sql
create or replace function tasker.version_registered(p_named_task_uuid uuid, p_template jsonb)
  returns void
  language plpgsql
as $$
begin
  perform tasker.insert_triggers(p_named_task_uuid, p_template);
  if p_template ? 'encrypted' then
    perform tasker.mark_sealed(p_named_task_uuid);
  end if;
  if p_template ? 'attributes' then
    perform tasker.declare_attributes(p_named_task_uuid, p_template);
  end if;
end;
$$;

comment on function tasker.version_registered is
$$Door: a new version of a template that has fields of features has been inserted. p_template is in normal form.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/template_value_problem.sql
create or replace function tasker.template_value_problem(p_field tasker.template_fields, p_value jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when jsonb_typeof(p_value) = 'null' then null
    when (p_field).json_type = 'duration' then
      case when (tasker.wait_seconds(p_value) > 0) is not true then
        'must be seconds above 0, or a text such as 90s, 30m, 12h, 3d or 2w, up to 315360000 seconds'
      end
    when (p_field).json_type = 'alternatives' then
      case
        when jsonb_typeof(p_value) = 'object' then null
        when jsonb_typeof(p_value) <> 'array' then 'must be an object or an array of objects'
        when jsonb_array_length(p_value) not between (p_field).minimum and (p_field).maximum then
          format('must have %s to %s elements, not %s', (p_field).minimum, (p_field).maximum, jsonb_array_length(p_value))
      end
    when (p_field).json_type = 'elements' then
      case when jsonb_typeof(p_value) not in ('string', 'object') then 'must be a path or an object' end
    when jsonb_typeof(p_value) <> (p_field).json_type then
      'must be a' || case when (p_field).json_type ~ '^[ao]' then 'n ' else ' ' end || (p_field).json_type
    when (p_field).choices is not null and not p_value #>> '{}' = any ((p_field).choices) then
      format('cannot be "%s"; it must be one of %s', left(p_value #>> '{}', 100), array_to_string((p_field).choices, ', '))
    when (p_field).pattern is not null and p_value #>> '{}' !~ (p_field).pattern then
      format('cannot be "%s"', left(p_value #>> '{}', 100))
    when (p_field).json_type = 'string' and length(p_value #>> '{}') not between (p_field).minimum and (p_field).maximum then
      format('must have %s to %s characters', (p_field).minimum, (p_field).maximum)
    when (p_field).json_type = 'array' and jsonb_array_length(p_value) not between (p_field).minimum and (p_field).maximum then
      format('must have at most %s elements, not %s', (p_field).maximum, jsonb_array_length(p_value))
    when (p_field).json_type = 'number' and (
      p_value::numeric not between (p_field).minimum and (p_field).maximum
      or ((p_field).whole and p_value::numeric <> trunc(p_value::numeric))
    ) then
      format(
        'must be a %snumber from %s to %s, not %s',
        case when (p_field).whole then 'whole ' else '' end, (p_field).minimum, (p_field).maximum,
        left(p_value #>> '{}', 40)
      )
  end;
end;

comment on function tasker.template_value_problem is
$$Describes the problem of a field's value, as a text that follows the field's path. Returns null if the value is valid or is a JSON null, which means the same as an absent field.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/template_shape_problems.sql
create or replace function tasker.template_shape_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_template is null or jsonb_typeof(p_template) <> 'object' then
    return query select '', 'a template must be an object', null::text;
    return;
  end if;
  -- Check the size first, because parsing a huge template would take long.
  if pg_column_size(p_template) > 67108864 then
    return query select '', format('a template has at most 67108864 bytes, not %s', pg_column_size(p_template)), null::text;
    return;
  end if;
  if jsonb_typeof(p_template -> 'steps') = 'array' and jsonb_array_length(p_template -> 'steps') > 65535 then
    return query
    select 'steps', tasker.template_value_problem(f, p_template -> 'steps'), f.description
      from tasker.template_fields as f
     where f.object = 'template'
       and f.field = 'steps';
    return;
  end if;

  return query
  with steps (place, path, value) as materialized (
    select array[11, e.no], format('steps[%s]', e.no - 1), e.value
      from jsonb_array_elements(
        case when jsonb_typeof(p_template -> 'steps') = 'array' then p_template -> 'steps' end
      ) with ordinality as e (value, no)
  ),
  dependencies (place, path, value) as materialized (
    select s.place || array[4, e.no], format('%s.dependencies[%s]', s.path, e.no - 1), e.value
      from steps as s
     cross join jsonb_array_elements(
       case when jsonb_typeof(s.value -> 'dependencies') = 'array' then s.value -> 'dependencies' end
     ) with ordinality as e (value, no)
  ),
  limits (place, path, value) as materialized (
    select s.place || array[26, e.no], format('%s.limits[%s]', s.path, e.no - 1), e.value
      from steps as s
     cross join jsonb_array_elements(
       case when jsonb_typeof(s.value -> 'limits') = 'array' then s.value -> 'limits' end
     ) with ordinality as e (value, no)
  ),
  alternatives (object, place, path, value) as materialized (
    select
      'await',
      s.place || array[10, e.no],
      s.path || '.await' || case when jsonb_typeof(s.value -> 'await') = 'array' then format('[%s]', e.no - 1) else '' end,
      e.value
      from steps as s
     cross join jsonb_array_elements(
       case jsonb_typeof(s.value -> 'await')
         when 'array' then s.value -> 'await'
         when 'object' then jsonb_build_array(s.value -> 'await')
       end
     ) with ordinality as e (value, no)
    union all
    select
      f.field, array[f.place, e.no],
      f.field || case when jsonb_typeof(p_template -> f.field) = 'array' then format('[%s]', e.no - 1) else '' end, e.value
      from (values ('start_on', 9), ('cancel_on', 10)) as f (field, place)
     cross join jsonb_array_elements(
       case jsonb_typeof(p_template -> f.field)
         when 'array' then p_template -> f.field
         when 'object' then jsonb_build_array(p_template -> f.field)
       end
     ) with ordinality as e (value, no)
  ),
  objects (object, place, path, value) as (
    select 'template', '{}'::bigint[], '', p_template
    union all
    select 'lifecycle', array[7], 'lifecycle', p_template -> 'lifecycle'
    union all
    select 'runs', array[14], 'runs', p_template -> 'runs'
    union all
    select 'step', s.place, s.path, s.value from steps as s
    union all
    select 'retry', s.place || 6::bigint, s.path || '.retry', s.value -> 'retry' from steps as s
    union all
    select 'dependency', d.place, d.path, d.value from dependencies as d
    union all
    select 'limits', l.place, l.path, l.value from limits as l
    union all
    select a.object, a.place, a.path, a.value from alternatives as a
    union all
    select 'task', s.place || 14::bigint, s.path || '.task', s.value -> 'task' from steps as s
    union all
    select 'for_each', s.place || 15::bigint, s.path || '.for_each', s.value -> 'for_each' from steps as s
  ),
  proper as materialized (
    select o.* from objects as o where jsonb_typeof(o.value) = 'object'
  ),
  found (place, path, problem, hint, object, unknown) as (
    select
      s.place, s.path, 'must be an object', null, null, null
    from steps as s
    where jsonb_typeof(s.value) <> 'object'
    union all
    select
      d.place, d.path, 'must be the name of a step or an object', 'For example "reserve", or {"step": "reserve", "when": "$.ok == true"}.',
      null, null
    from dependencies as d
    where jsonb_typeof(d.value) not in ('object', 'string')
    union all
    select
      l.place, l.path, 'must be the name of a limit or an object', 'For example "stripe", or {"limit": "stripe", "limit_units": 3}.', null, null
    from limits as l
    where jsonb_typeof(l.value) not in ('object', 'string')
       or jsonb_typeof(l.value) = 'string' and l.value #>> '{}' !~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$'
    union all
    select
      a.place, a.path, 'must be an object',
      case a.object when 'await' then 'For example {"signal": "approved"}, {"for": "3d"}.' else 'For example {"event": "paid"}.' end, null, null
    from alternatives as a
    where jsonb_typeof(a.value) <> 'object'
    union all
    select
      array[12, t.no], 'types.' || left(t.key, 100), 'must be a text of at most 500 characters', null, null, null
    from jsonb_each(
      case when jsonb_typeof(p_template -> 'types') = 'object' then p_template -> 'types' end
    ) with ordinality as t (key, value, no)
    where jsonb_typeof(t.value) <> 'string'
       or length(t.value #>> '{}') > 500
    union all
    select
      o.place || f.position::bigint, ltrim(o.path || '.' || f.field, '.'), 'is missing', f.description, null, null
    from proper as o
    join tasker.template_fields as f
      on f.object = o.object
     and f.required
    where coalesce(jsonb_typeof(o.value -> f.field), 'null') = 'null'
    union all
    select
      o.place || coalesce(f.position, 1000)::bigint,
      ltrim(o.path || '.' || left(m.key, 100), '.'),
      case
        when f.field is null then format('%s %s has no such field', case when o.object like 'a%' then 'an' else 'a' end, o.object)
        else tasker.template_value_problem(f, m.value)
      end,
      f.description,
      case when f.field is null then o.object end,
      case when f.field is null then m.key end
    from proper as o
    cross join jsonb_each(o.value) as m (key, value)
    left join tasker.template_fields as f
      on f.object = o.object
     and f.field = m.key
    where f.field is null
       or tasker.template_value_problem(f, m.value) is not null
  )
  -- Search for similar names only for the problems that are returned.
  select
    f.path,
    f.problem,
    case
      when f.unknown is null then f.hint
      else coalesce('Did you mean "' || tasker.nearest_name(f.unknown, k.fields) || '"? ', '')
        || format('Its fields are %s.', array_to_string(k.fields, ', '))
    end
  from (
    select f.*
      from found as f
     order by f.place, f.path
     limit 20
  ) as f
  cross join lateral (
    select array_agg(k.field order by k.position) as fields
      from tasker.template_fields as k
     where k.object = f.object
  ) as k
  order by f.place, f.path;
end;
$$;

comment on function tasker.template_shape_problems is
$$Returns the unknown fields of a template (fields that tasker.template_fields does not list), the invalid values and the missing fields: the first twenty problems, in the order of the template.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/limit_problems.sql
create or replace function tasker.limit_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- The step itself, which names its first limit, and its further limits.
  v_all jsonb := jsonb_build_array(p_step) || case when jsonb_typeof(p_step -> 'limits') = 'array' then p_step -> 'limits' else '[]' end;
begin
  return query
  select f.field, 'has no meaning without a limit', 'Name the limit of the namespace: "limit": "stripe".'::text
    from unnest('{limit_key,limit_units,limit_hold,limit_bound,limits}'::text[]) with ordinality as f (field, no)
   where p_step ->> 'limit' is null
     and p_step ->> f.field is not null
   order by f.no;
  return query
  select n.path || p.field, p.problem, p.hint
    from jsonb_array_elements(v_all) with ordinality as m (value, no)
   cross join lateral (
     select case when m.no > 1 then format('limits[%s].', m.no - 2) else '' end as path, m.value ->> 'limit_key' as key, m.value ->> 'limit_bound' as bound
   ) as n
   cross join lateral (
     select 'limit_key' as field, format('"%s" is not a path of the context or the inputs', left(n.key, 100)) as problem,
            e.error || ' For example: $.customer, or $inputs.region.' as hint
       from tasker.condition_error(regexp_replace(n.key, '\$inputs(?![a-zA-Z0-9_])', '$', 'g')) as e (error)
      where e.error is not null
     union all
     select 'limit_bound', format('"%s" is not a path of the context', left(n.bound, 100)), e.error || ' For example: $.plan.places.'
       from tasker.condition_error(n.bound) as e (error)
      where e.error is not null
     union all
     select 'limit_bound', 'needs a limit_bound_max', 'limit_bound_max is the largest bound that a task may give the key: a larger number counts as this number.'
      where n.bound is not null and m.value ->> 'limit_bound_max' is null
     union all
     select 'limit_bound_max', 'has no meaning without a limit_bound', 'The path of the bound in the context is limit_bound, such as $.plan.places.'
      where n.bound is null and m.value ->> 'limit_bound_max' is not null
     union all
     select 'limit_bound', 'cannot bound keys of elements', 'The bounds are set when the task is created: use a limit_key of the context.'
      where n.bound is not null and p_step ->> 'for_each' is not null and n.key ~ '\$inputs(?![a-zA-Z0-9_])'
   ) as p
   order by m.no, p.field;
  return query
  select format('limits[%s]', m.no - 2), format('names limit "%s" again', left(n.name, 128)), 'A step names a limit once; limit_units says how many places it takes.'::text
    from jsonb_array_elements(v_all) with ordinality as m (value, no)
   cross join lateral (select coalesce(m.value ->> 'limit', m.value #>> '{}') as name) as n
   where m.no > 1
     and exists (
       select
         from jsonb_array_elements(v_all) with ordinality as b (value, no)
        where b.no < m.no
          and coalesce(b.value ->> 'limit', case when jsonb_typeof(b.value) = 'string' then b.value #>> '{}' end) = n.name
     )
   order by m.no;
end;
$$;

comment on function tasker.limit_problems is
$$Returns the problems of the limits of a step: a key, units, a bound or further limits without a limit, an invalid path, a bound without a maximum, or a limit that is named twice.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/normalize_limits.sql
create or replace function tasker.normalize_limits(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_step ?| '{limit_units,limit_hold,limit_bound,limits}' then jsonb_strip_nulls(jsonb_build_object(
    'limit_units', nullif((p_step ->> 'limit_units')::numeric::integer, 1),
    'limit_hold', nullif(p_step ->> 'limit_hold', 'claim'),
    'limit_bound', (p_step ->> 'limit_bound')::jsonpath::text,
    'limit_bound_max', (p_step ->> 'limit_bound_max')::numeric::integer,
    'limits', (
      select jsonb_agg(
          case when jsonb_typeof(e.value) = 'string' then jsonb_build_object('limit', e.value) else jsonb_build_object(
            'limit', e.value -> 'limit',
            'limit_key', (e.value ->> 'limit_key')::jsonpath::text,
            'limit_units', nullif((e.value ->> 'limit_units')::numeric::integer, 1),
            'limit_bound', (e.value ->> 'limit_bound')::jsonpath::text,
            'limit_bound_max', (e.value ->> 'limit_bound_max')::numeric::integer
          ) end
          order by e.no
        )
        from jsonb_array_elements(case when jsonb_typeof(p_step -> 'limits') = 'array' then p_step -> 'limits' end) with ordinality as e (value, no)
    )
  )) else '{}' end;
end;

comment on function tasker.normalize_limits is
$$Returns the fields limit_units, limit_hold, limit_bound, limit_bound_max and limits of a valid step in normal form, or an empty object if the step has none of these fields.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/limit_needs_of.sql
create or replace function tasker.limit_needs_of(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select nullif(jsonb_strip_nulls(jsonb_build_object(
    'units', p_step -> 'limit_units',
    'hold', p_step -> 'limit_hold',
    'bound', p_step -> 'limit_bound',
    'bound_max', p_step -> 'limit_bound_max',
    'limits', p_step -> 'limits'
  )), '{}');
end;

comment on function tasker.limit_needs_of is
$$Returns the fields of a step about its limits ("units", "hold", "bound", "limits"), as the row of its template keeps them. The step is in normal form. Returns null if the step needs only one place of one limit.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/sql_problems.sql
create or replace function tasker.sql_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select k.key, 'has no meaning for a step that is SQL', 'A step names one of sql, await, task and handler.'::text
    from jsonb_object_keys(jsonb_strip_nulls(p_step)) as k (key)
   where p_step ->> 'sql' is not null
     and (k.key in ('await', 'task') or k.key = 'handler' and p_step ->> 'handler' <> 'sql:' || (p_step ->> 'sql'))
  union all
  select k.key, 'begins with "sql:"', case k.key
      when 'handler' then format('Name the function instead: "sql": "%s".', left(substr(p_step ->> 'handler', 5), 100))
      else 'After it stands a function with its schema, both in lower case, such as sql:shop.cancel_order.'
    end
    from unnest('{handler,compensate}'::text[]) as k (key)
   where starts_with(p_step ->> k.key, 'sql:')
     and case k.key
       when 'handler' then p_step ->> 'sql' is null
       else p_step ->> 'compensate' !~ '^sql:[a-z_][a-z0-9_]{0,62}\.[a-z_][a-z0-9_]{0,62}$'
     end;
end;
$$;

comment on function tasker.sql_problems is
$$Returns the problems of the SQL function that a step names: the step also is of another kind, or its handler or compensation has the form of a SQL function.$$;
-- <<<

-- >>> db/schema/functions/doors/registration/private/step_effects.sql
create or replace function tasker.step_effects(p_step jsonb)
  returns smallint
  language sql
  immutable
  parallel safe
begin atomic
  -- The bits are: 1 and 8: waits. 4: limits. 256: the step needs more than one place of a limit, or several limits.
  -- 512: the step may wait for a worker only for a certain time. 16: durable functions (set when they first wait).
  -- 2048: the step starts as soon as the first of its dependencies has ended. 4096: the step waits for a failure. 1024:
  -- another step waits for this step's failure (known when all steps are registered: tasker.steps_registered). 8192:
  -- the payloads are encrypted, and 128: the result has attributes of the task (both known when the version is
  -- registered: tasker.version_registered). 16384: the task is paused.
  select (
    case when p_step ?| '{await,task}' then 9 else 0 end
    | case when p_step ? 'limit' then 4 else 0 end
    | case when p_step ?| '{limit_units,limit_hold,limits}' then 256 else 0 end
    | case when p_step ? 'start_within' then 512 else 0 end
    | case when p_step ->> 'join' = 'first' then 2048 else 0 end
    | case when jsonb_path_exists(p_step, '$.dependencies[*].on') then 4096 else 0 end
  )::smallint;
end;

comment on function tasker.step_effects is
$$Returns the effects of a step of a template, as bits: they name the features that handle the step's moves. The template is in normal form.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/effects_of_move.sql
create or replace function tasker.effects_of_move(p_effects smallint, p_from_state tasker.step_state, p_to_state tasker.step_state)
  returns smallint
  language sql
  immutable
  parallel safe
begin atomic
  -- The bits are: 1 (waits): a wait begins. 8 (waits): a wait ends. 4 (limits): a step begins to wait for a place or
  -- gives up its place. 256 (limits): the step needs several places, which a whole run may hold. 16 (functions): a wait
  -- of a function ends. 64 (functions): a failed function is tried again. 2048 (branches): a step begins. 512
  -- (patience): a step begins to wait for a worker. 8192 (sealing): a move has a result or an error. 16384 (pauses): a
  -- step would be handed out or start a task. 128 (attributes): a move may have a result.
  select p_effects & (
    case
      when p_to_state = 'enqueued' or p_from_state = 'in_progress' then 24964
      when p_to_state in ('pending', 'complete', 'error', 'cancelled', 'resolved_manually') then 8576
      else 0
    end
    | case when p_to_state = 'enqueued' and p_from_state <> 'in_progress' then 512 else 0 end
    | case when p_to_state = 'suspended' then 16385 else 0 end
    | case when p_from_state = 'suspended' then 8 else 0 end
    | case when p_from_state = 'suspended' and p_to_state = 'enqueued' then 16 else 0 end
    | case when p_from_state = 'error' and p_to_state = 'pending' then 64 else 0 end
    | case when p_from_state = 'pending' and p_to_state in ('enqueued', 'suspended') then 2048 else 0 end
  )::smallint;
end;

comment on function tasker.effects_of_move is
$$Returns those effects of a step that a move between two states has. For example, the move has the effect of limits if the step begins to wait for a place or gives up its place. If the result is 0, the function that writes the move calls no door.$$;
-- <<<

-- >>> db/schema/functions/doors/registration/private/root_effects.sql
create or replace function tasker.root_effects(p_template jsonb)
  returns smallint
  language sql
  immutable
  parallel safe
begin atomic
  -- The bit 128: the context has attributes of the task. The bit 2: the context bounds keys of limits.
  select coalesce(bit_or(tasker.effects_of_move(
      tasker.step_effects(s.value), 'pending',
      case when s.value ?| '{await,task}' then 'suspended'::tasker.step_state else 'enqueued' end
    )), 0::smallint) | case when jsonb_path_exists(p_template, '$.attributes.*.context') then 128 else 0 end::smallint
      | case when jsonb_path_exists(p_template, '$.steps[*] ? (exists (@.limit_bound) || exists (@.limits[*].limit_bound))') then 2 else 0 end::smallint
    from jsonb_array_elements(p_template -> 'steps') as s (value)
   where s.value -> 'dependencies' = '[]'
     and not s.value ? 'for_each';
end;

comment on function tasker.root_effects is
$$Returns the combined effects of the first moves of all root steps of a template and of the creation of a task. The template is in normal form.$$;
-- <<<

-- >>> db/schema/functions/doors/registration/private/step_problems.sql
create or replace function tasker.step_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
as $$
begin
  return query select p.* from tasker.await_problems(p_step) as p;
  return query select p.* from tasker.child_problems(p_step) as p;
  if p_step ?| '{for_each,max_parallel,allow_failures}' then
    return query select p.* from tasker.map_problems(p_step) as p;
  end if;
  if p_step ? 'sql' or starts_with(p_step ->> 'handler', 'sql:') or starts_with(p_step ->> 'compensate', 'sql:') then
    return query select p.* from tasker.sql_problems(p_step) as p;
  end if;
  if p_step ?| '{limit_key,limit_units,limit_hold,limit_bound,limit_bound_max,limits}' then
    return query select p.* from tasker.limit_problems(p_step) as p;
  end if;
end;
$$;

comment on function tasker.step_problems is
$$Door: returns the problems that features find in a step of a template.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/await_problems.sql
create or replace function tasker.await_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_listed boolean := jsonb_typeof(p_step -> 'await') = 'array';
begin
  if coalesce(jsonb_typeof(p_step -> 'await'), 'null') = 'null' then
    return query
    select
      k.key, 'has no meaning without await or task',
      case k.key when 'timeout' then 'How long an attempt of a handler may take is timeout_seconds.' end
    from jsonb_object_keys(jsonb_strip_nulls(p_step)) as k (key)
    where k.key in ('timeout', 'on_timeout', 'assignee')
      and coalesce(jsonb_typeof(p_step -> 'task'), 'null') = 'null';
    return;
  end if;

  return query
  select
    k.key, 'has no meaning for a step that waits',
    case k.key
      when 'timeout_seconds' then 'How long a step waits at most is timeout, such as "3d".'
      when 'compensate' then 'It has no effect that could be undone.'
      else 'A step with await has no handler: no worker runs it.'
    end
  from jsonb_object_keys(jsonb_strip_nulls(p_step)) as k (key)
  where k.key in ('handler', 'retry', 'timeout_seconds', 'priority', 'initialization', 'limit', 'limit_key', 'limit_units', 'limit_hold', 'limit_bound', 'limit_bound_max', 'limits', 'start_within', 'compensate')
  union all
  select 'on_timeout', 'has no meaning without a timeout', 'A timeout is a duration, such as "3d".'
   where p_step ->> 'on_timeout' is not null
     and p_step ->> 'timeout' is null;

  return query
  select
    'await' || case when v_listed then format('[%s]', a.no - 1) else '' end || coalesce('.' || x.path, ''),
    x.problem, x.hint
  from jsonb_array_elements(
    case when v_listed then p_step -> 'await' else jsonb_build_array(p_step -> 'await') end
  ) with ordinality as a (value, no)
  cross join lateral (
    select null as path, 'must have one of signal, event, for and until' as problem,
           'For example {"signal": "approved"}, {"event": "paid", "key": "$.order"}, {"for": "3d"}.' as hint
     where num_nonnulls(a.value ->> 'signal', a.value ->> 'event', a.value ->> 'for', a.value ->> 'until') <> 1
    union all
    select k.key,
           format('has no meaning without %s', case k.key when 'schema' then 'a signal' when 'when' then 'a signal or an event' else 'an event' end),
           null
      from jsonb_object_keys(jsonb_strip_nulls(a.value)) as k (key)
     where case k.key
         when 'schema' then a.value ->> 'signal' is null
         when 'when' then num_nonnulls(a.value ->> 'signal', a.value ->> 'event') = 0
         else k.key in ('key', 'look_back') and a.value ->> 'event' is null
       end
    union all
    select 'key', format('"%s" is not a path', left(a.value ->> 'key', 100)),
           tasker.condition_error(a.value ->> 'key') || ' A key that begins with $ is a path of the context, such as $.order; any other is taken as it is.'
     where a.value ->> 'key' like '$%'
       and tasker.condition_error(a.value ->> 'key') is not null
    union all
    select 'when', format('"%s" is not a jsonpath predicate', left(a.value ->> 'when', 100)),
           tasker.condition_error(a.value ->> 'when') || ' For example: $.approved == true, or $.amount > 100.'
     where tasker.condition_error(a.value ->> 'when') is not null
    union all
    select 'until', format('"%s" is neither a time nor a path', left(a.value ->> 'until', 100)),
           case when a.value ->> 'until' like '$%' then tasker.condition_error(a.value ->> 'until') || ' ' else '' end
             || 'A time has a date and an offset, such as 2026-12-24T18:00:00Z; a path of the context begins with $.'
     where case
         when a.value ->> 'until' like '$%' then tasker.condition_error(a.value ->> 'until') is not null
         else tasker.instant_of(a.value ->> 'until') is null
       end
       and a.value ->> 'until' is not null
    union all
    select null, p.problem, 'Other keywords are refused, so that no schema promises more than is checked.'
      from (select tasker.schema_problem(a.value -> 'schema', 'schema') as problem) as p
     where a.value ->> 'schema' is not null
       and p.problem is not null
    union all
    select 'schema', 'has more than 16,384 bytes', 'Leave to a handler what a schema of this size is to check.'
     where octet_length(a.value ->> 'schema') > 16384
  ) as x;
end;
$$;

comment on function tasker.await_problems is
$$Returns the problems of the wait of a well-formed step: alternatives of no kind or of several kinds, fields that have no meaning, and invalid conditions, times and schemas.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/is_child_reference.sql
create or replace function tasker.is_child_reference(p_value jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select case jsonb_typeof(p_value)
    when 'string' then p_value #>> '{}' like '$%'
    when 'object' then
      p_value ?| '{step,path}'
      and p_value - '{step,path}'::text[] = '{}'
      and jsonb_typeof(coalesce(p_value -> 'step', '""')) = 'string'
      and jsonb_typeof(coalesce(p_value -> 'path', '""')) = 'string'
    else false
  end;
end;

comment on function tasker.is_child_reference is
$$Returns true if a value in the context for a child task is a reference: a path that begins with $, or an object with step, path or both, and no other field.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/child_problems.sql
create or replace function tasker.child_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_context jsonb := nullif(p_step #> '{task,context}', 'null'); -- null means the same as leaving it out
  -- The element of a map is among the inputs of its instances: $inputs.element and $inputs.index.
  v_mapped  boolean := coalesce(jsonb_typeof(p_step -> 'for_each'), 'null') <> 'null';
  v_parents text[];
begin
  if jsonb_typeof(p_step -> 'task') is distinct from 'object' then
    return;
  end if;

  return query
  select
    k.key, 'has no meaning for a step that starts a task',
    case k.key
      when 'timeout_seconds' then 'How long a step waits for its task at most is timeout, such as "3d".'
      when 'initialization' then 'What the task gets is task.context.'
      when 'limit' then 'How many of its tasks run at once for each key is bounded by runs in the template of the task.'
      else 'A step with task has no handler: no worker runs it.'
    end
  from jsonb_object_keys(jsonb_strip_nulls(p_step)) as k (key)
  where k.key in ('handler', 'timeout_seconds', 'priority', 'initialization', 'assignee', 'await', 'limit', 'limit_key', 'limit_units', 'limit_hold', 'limit_bound', 'limit_bound_max', 'limits', 'start_within')
  union all
  select 'on_timeout', 'has no meaning without a timeout', 'A timeout is a duration, such as "3d".'
   where p_step ->> 'on_timeout' is not null
     and p_step ->> 'timeout' is null;

  v_parents := array(
    select coalesce(d.value ->> 'step', d.value #>> '{}')
      from jsonb_array_elements(case when jsonb_typeof(p_step -> 'dependencies') = 'array' then p_step -> 'dependencies' end) as d (value)
  );
  return query
  select
    'task.context' || coalesce('.' || left(v.key, 100), ''), x.problem, x.hint
  from (
    select null as key, v_context as value where tasker.is_child_reference(v_context)
    union all
    select f.key, f.value
      from jsonb_each(case when not tasker.is_child_reference(v_context) then v_context end) as f
     where tasker.is_child_reference(f.value)
  ) as v
  cross join lateral (
    select case when jsonb_typeof(v.value) = 'string' then v.value #>> '{}' else v.value ->> 'path' end as path
  ) as p
  cross join lateral (
    select
      format('"%s" is not a dependency of this step', left(v.value ->> 'step', 128)) as problem,
      'A step reads the results of its own dependencies.' as hint
     where v.value ? 'step'
       and v.value ->> 'step' <> all (v_parents)
    union all
    select format('"%s" is not a jsonpath', left(p.path, 100)), e.error || ' For example: $.order.id.'
      from tasker.condition_error(case when v_mapped then regexp_replace(p.path, '\$inputs(?![a-zA-Z0-9_])', '$', 'g') else p.path end) as e (error)
     where e.error is not null
  ) as x
  order by 1;
end;
$$;

comment on function tasker.child_problems is
$$Returns the problems of the task that a well-formed step starts: fields without a meaning for such a step, invalid paths, and references to results of steps that are not dependencies.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/map_problems.sql
create or replace function tasker.map_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_path text := case when jsonb_typeof(p_step -> 'for_each') = 'string' then p_step ->> 'for_each' else p_step #>> '{for_each,path}' end;
begin
  if coalesce(jsonb_typeof(p_step -> 'for_each'), 'null') = 'null' then
    return query
    select k.key, 'has no meaning without for_each', null::text
      from jsonb_object_keys(jsonb_strip_nulls(p_step)) as k (key)
     where k.key in ('max_parallel', 'allow_failures');
    return;
  end if;

  return query
  select k.key, 'has no meaning for a step with for_each', 'A map runs its handler, or starts a task, for each element; give the other work a step of its own.'
    from jsonb_object_keys(jsonb_strip_nulls(p_step)) as k (key)
   where k.key = 'await'
  union all
  select
    'for_each' || case when jsonb_typeof(p_step -> 'for_each') = 'object' then '.path' else '' end,
    format('"%s" is not a path to an array', left(v_path, 100)),
    coalesce(tasker.condition_error(v_path) || ' ', '') || 'A path begins with $, such as $.lines.'
   where v_path !~ '^\s*\$'
      or tasker.condition_error(v_path) is not null
  union all
  select 'for_each.step', format('"%s" is not a dependency of this step', left(p_step #>> '{for_each,step}', 128)),
         'Add it to dependencies: the map runs over its result.'
   where p_step #>> '{for_each,step}' is not null
     and not exists (
       select
         from jsonb_array_elements(nullif(p_step -> 'dependencies', 'null')) as d (value)
        where coalesce(d.value ->> 'step', d.value #>> '{}') = p_step #>> '{for_each,step}'
     );
end;
$$;

comment on function tasker.map_problems is
$$Returns the problems of a well-formed step as a map: an invalid path, an array in the result of a step that is not a dependency, and fields that have no meaning.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/step_places.sql
create or replace function tasker.step_places(p_steps jsonb)
  returns jsonb
  language plpgsql
  immutable
as $$
begin
  return (
    select coalesce(jsonb_object_agg(e.value ->> 'name', e.no order by e.no desc), '{}')
      from jsonb_array_elements(p_steps) with ordinality as e (value, no)
     where e.value ->> 'name' is not null
  );
end;
$$;

comment on function tasker.step_places is
$$Returns an object with the first position of each name in an array of steps, counted from 1. A look-up in the object replaces a join, which would compare each step with each other step.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/template_step_problems.sql
create or replace function tasker.template_step_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
as $$
declare
  v_places jsonb := tasker.step_places(p_template -> 'steps');
begin
  return query
  with steps (no, name, value) as materialized (
    select e.no, e.value ->> 'name', e.value
      from jsonb_array_elements(p_template -> 'steps') with ordinality as e (value, no)
  ),
  found (no, path, problem, hint) as (
    select
      s.no, 'name', format('"%s" is the name of steps[%s] already', s.name, (v_places ->> s.name)::bigint - 1), null
    from steps as s
    where (v_places ->> s.name)::bigint < s.no
    union all
    select
      s.no, 'retry.multiplier', 'has no meaning with a constant backoff', null
    from steps as s
    where s.value #>> '{retry,backoff}' = 'constant'
      and s.value #>> '{retry,multiplier}' <> '1'
    union all
    select s.no, w.path, w.problem, w.hint
      from steps as s
     cross join lateral tasker.step_problems(s.value) as w
  )
  select format('steps[%s]', f.no - 1) || coalesce('.' || f.path, ''), f.problem, f.hint
    from found as f
   order by f.no, f.problem
   limit 20;
end;
$$;

comment on function tasker.template_step_problems is
$$Returns duplicate names in a template that has the right shape, and fields of its steps that exclude each other: the first twenty problems, in the order of the template.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/template_dependency_problems.sql
create or replace function tasker.template_dependency_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
as $$
declare
  v_places jsonb  := tasker.step_places(p_template -> 'steps');
  v_names  text[] := array(
    select e.value ->> 'name'
      from jsonb_array_elements(p_template -> 'steps') with ordinality as e (value, no)
     order by e.no
     limit 1000
  );
  v_errors jsonb  := tasker.condition_errors(p_template -> 'steps');
begin
  return query
  with dependencies (no, place, name, step, condition) as materialized (
    select s.no, e.place, s.value ->> 'name', coalesce(e.value ->> 'step', e.value #>> '{}'), e.value ->> 'when'
      from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
     cross join jsonb_array_elements(nullif(s.value -> 'dependencies', 'null')) with ordinality as e (value, place)
  ),
  unknown (no, place, step, rank) as materialized (
    select d.no, d.place, left(d.step, 128), row_number() over (order by d.no, d.place)
      from dependencies as d
     where not v_places ? d.step
     order by d.no, d.place
     limit 20
  ),
  found (no, place, path, problem, hint) as (
    select
      u.no, u.place, '', format('there is no step "%s"', u.step),
      -- The search is costly, so it is made only for the problems that are reported first.
      case when u.rank <= 3 then 'Did you mean "' || tasker.nearest_name(u.step, v_names) || '"?' end
    from unknown as u
    union all
    select
      d.no, d.place, '', format('step "%s" depends on itself', d.name), null
    from dependencies as d
    where d.step = d.name
    union all
    select
      d.no, max(d.place), '', format('"%s" is named %s times', d.step, count(*)), null
    from dependencies as d
    group by d.no, d.step
    having count(*) > 1
    union all
    select
      d.no, d.place, '.when', format('"%s" is not a jsonpath predicate', left(d.condition, 100)),
      (v_errors ->> d.condition) || ' For example: $.approved == true, or $.amount > 100.'
    from dependencies as d
    where v_errors ? d.condition
  )
  select format('steps[%s].dependencies[%s]%s', f.no - 1, f.place - 1, f.path), f.problem, f.hint
    from found as f
   order by f.no, f.place, f.problem
   limit 20;
end;
$$;

comment on function tasker.template_dependency_problems is
$$Returns the invalid dependencies of a template that has the right shape: dependencies that are unknown, are named twice, lead to the step itself, or have a condition that is no predicate. Returns the first twenty problems, in the order of the template.$$;
-- <<<

-- >>> db/schema/functions/features/branches/private/branch_problems.sql
create or replace function tasker.branch_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps  jsonb := p_template -> 'steps';
  v_places jsonb := tasker.step_places(v_steps);
begin
  return query
  with steps (no, value, count) as materialized (
    select s.no, s.value, coalesce(jsonb_array_length(nullif(s.value -> 'dependencies', 'null')), 0)
      from jsonb_array_elements(v_steps) with ordinality as s (value, no)
  ),
  edges (no, place, child, step, parent, condition, outcome) as materialized (
    select s.no, d.place, s.value, d.value ->> 'step', v_steps -> ((v_places ->> (d.value ->> 'step'))::integer - 1),
           d.value ->> 'when', d.value ->> 'on'
      from steps as s
     cross join jsonb_array_elements(nullif(s.value -> 'dependencies', 'null')) with ordinality as d (value, place)
     where d.value ->> 'on' in ('failed', 'ended')
  ),
  found (no, path, problem, hint) as (
    select e.no, format('dependencies[%s].when', e.place - 1), format('has no meaning with on: %s', e.outcome),
           'A failed step has no result that a condition could be about. Let a step with the condition depend on this one.'
      from edges as e
     where e.condition is not null
    union all
    select e.no, format('dependencies[%s].on', e.place - 1),
           format('"%s" is a map without allow_failures, which never fails: its failed instances wait for an operator', e.step),
           'Add allow_failures to the map; with 0 the first failure fails it.'
      from edges as e
     where coalesce(jsonb_typeof(e.parent -> 'for_each'), 'null') <> 'null'
       and coalesce(jsonb_typeof(e.parent -> 'allow_failures'), 'null') = 'null'
    union all
    select e.no, format('dependencies[%s].on', e.place - 1), 'a map cannot wait for a failure',
           'Let a step wait for the failure, and the map for that step.'
      from edges as e
     where coalesce(jsonb_typeof(e.child -> 'for_each'), 'null') <> 'null'
    union all
    select e.no, format('dependencies[%s].on', e.place - 1), format('task.context reads the result of "%s", which a failed step does not have', e.step),
           'Depend on its success, or read the result of another step.'
      from edges as e
     where jsonb_path_exists(e.child #> '{task,context}', '$.** ? (@.step == $step)', jsonb_build_object('step', e.step))
    union all
    select e.no, 'initialization.failures', 'is taken: a step that waits for a failure finds the errors there', 'Give the field another name.'
      from edges as e
     where e.child #> '{initialization}' ? 'failures'
    union all
    select s.no, 'join', 'first needs two dependencies or more', 'With one dependency it is the same as all.'
      from steps as s
     where s.value ->> 'join' = 'first'
       and s.count < 2
    union all
    select s.no, 'join', 'a map cannot start with the first of its dependencies',
           'Let a step join them, and the map run over its result.'
      from steps as s
     where s.value ->> 'join' = 'first'
       and coalesce(jsonb_typeof(s.value -> 'for_each'), 'null') <> 'null'
  )
  select distinct format('steps[%s].%s', f.no - 1, f.path), f.problem, f.hint from found as f;
end;
$$;

comment on function tasker.branch_problems is
$$Returns the problems of a template's dependencies that wait for a failure: the dependency has a condition, the parent is a map that never fails, the child is a map, or the child reads the parent's result. Also returns the problems of steps with join: first.$$;
-- <<<

-- >>> db/schema/functions/doors/registration/private/graph_problems.sql
create or replace function tasker.graph_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
as $$
begin
  if jsonb_path_exists(p_template, '$.steps[*] ? (exists (@.dependencies[*].on) || @.join == "first")') then
    return query select p.* from tasker.branch_problems(p_template) as p;
  end if;
end;
$$;

comment on function tasker.graph_problems is
$$Door: returns the problems that features find in the graph of a template. The template has the right shape.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/template_reference_problems.sql
create or replace function tasker.template_reference_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select 'steps', format(
      '%s steps, of which %s have a compensation, are more than the 65535 steps that a task may have',
      jsonb_array_length(p_template -> 'steps'), count(*)
    ), 'A step with a compensation counts twice: what it does and what undoes it.'
    from jsonb_array_elements(p_template -> 'steps') as e (value)
   where e.value ->> 'compensate' is not null
     and coalesce(jsonb_typeof(e.value -> 'for_each'), 'null') = 'null'
  having jsonb_array_length(p_template -> 'steps') + count(*) > 65535;

  if p_template ?| '{input_schema,encrypted,start_on,cancel_on,runs,attributes}' then
    return query select p.* from tasker.template_field_problems(p_template) as p;
  end if;
  return query
  select f.path, f.problem, f.hint
    from (
      select p.* from tasker.template_step_problems(p_template) as p
      union all
      select p.* from tasker.template_dependency_problems(p_template) as p
      union all
      select p.* from tasker.graph_problems(p_template) as p
    ) as f
   cross join lateral (
     select regexp_match(f.path, '^steps\[(\d+)\](?:\.dependencies\[(\d+)\])?')::integer[] as place
   ) as x
   order by x.place[1], x.place[2] nulls first, f.problem
   limit 20;
end;
$$;

comment on function tasker.template_reference_problems is
$$Returns the wrong references between the parts of a template that has the right shape: the first twenty problems, in the order of the template.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/template_cycle_problems.sql
create or replace function tasker.template_cycle_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_count  integer := jsonb_array_length(p_template -> 'steps');
  v_places jsonb   := tasker.step_places(p_template -> 'steps');
  v_from   integer[];
  v_to     integer[];
  v_cycle  integer[];
  v_names  text;
begin
  select
    coalesce(array_agg((v_places ->> coalesce(d.value ->> 'step', d.value #>> '{}'))::integer), '{}'),
    coalesce(array_agg(s.no::integer), '{}')
    into v_from, v_to
    from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
   cross join jsonb_array_elements(nullif(s.value -> 'dependencies', 'null')) as d (value);

  v_cycle := tasker.graph_cycle(tasker.graph_levels(v_count, v_from, v_to), v_from, v_to);
  if v_cycle is null then
    return;
  end if;

  select string_agg(p_template -> 'steps' -> (c.no - 1) ->> 'name', ' -> ' order by c.place)
    into v_names
    from unnest(v_cycle[: 50] || v_cycle[1]) with ordinality as c (no, place)
   where cardinality(v_cycle) <= 50
      or c.place <= 50;

  return query
  select
    format('steps[%s].dependencies', v_cycle[1] - 1),
    'the steps wait for one another in a cycle: ' || v_names
      || case when cardinality(v_cycle) > 50 then format(' -> ... (%s steps)', cardinality(v_cycle)) else '' end,
    'Each depends on the one before it, and the first on the last.';
end;
$$;

comment on function tasker.template_cycle_problems is
$$Returns the problem of a cycle in the dependencies of a template, with the steps of the cycle in order. Returns no row if there is no cycle. The names in the template are valid.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/validate_task_template.sql
create or replace function tasker.validate_task_template(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Each check relies on the previous check.
  return query select p.* from tasker.template_shape_problems(p_template) as p;
  if found then
    return;
  end if;
  return query select p.* from tasker.template_reference_problems(p_template) as p;
  if found then
    return;
  end if;
  return query select p.* from tasker.template_cycle_problems(p_template) as p;
end;
$$;

comment on function tasker.validate_task_template is
$$Returns the problems of a template, in the order of their places in the template. Returns at most twenty problems, each with its place and a hint, and no row if the template can be registered.

Checks the shape first (unknown and missing fields, kinds, bounds), then names and dependencies, then cycles. Does not read registered templates.$$;

grant execute on function tasker.validate_task_template
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/template/private/check_task_template.sql
create or replace function tasker.check_task_template(p_template jsonb)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_lines text[];
  v_hint  text;
begin
  perform tasker.check_depth('template', p_template);
  select array_agg(ltrim(p.path || ': ' || p.problem, ': ') order by p.place),
         (array_agg(p.hint order by p.place))[1]
    into v_lines, v_hint
    from tasker.validate_task_template(p_template) with ordinality as p (path, problem, hint, place);

  if v_lines is not null then
    raise exception using
      errcode = 'TK422',
      message = left(v_lines[1], 2000),
      detail  = coalesce(
        'Also: ' || nullif(array_to_string(v_lines[2 : 10], '; '), ''),
        'There is no other problem so far.'
      ),
      hint    = coalesce(v_hint, 'tasker.validate_task_template(template) lists the problems of a template.');
  end if;
end;
$$;

comment on function tasker.check_task_template is
$$Raises TK422 if a template cannot be registered. The message has the first problem and its place, the detail has the next nine problems.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/normalize_await.sql
create or replace function tasker.normalize_await(p_step jsonb, p_dependencies jsonb)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_any jsonb;
begin
  -- The schema belongs to the user, and its enum may contain null. So the schema is added after nulls are stripped.
  select jsonb_agg(
      jsonb_strip_nulls(jsonb_build_object(
        'signal', a.value -> 'signal',
        'event', a.value -> 'event',
        'key', a.value -> 'key',
        'look_back', case when a.value ->> 'event' is not null then coalesce(tasker.wait_seconds(a.value -> 'look_back'), 60) end,
        'for', tasker.wait_seconds(a.value -> 'for'),
        'until', a.value -> 'until',
        'when', (a.value ->> 'when')::jsonpath::text
      )) || case when jsonb_typeof(a.value -> 'schema') = 'object'
        then jsonb_build_object('schema', a.value -> 'schema') else '{}' end
      order by a.no
    )
    into v_any
    from jsonb_array_elements(
      case jsonb_typeof(p_step -> 'await') when 'array' then p_step -> 'await' else jsonb_build_array(p_step -> 'await') end
    ) with ordinality as a (value, no);

  return jsonb_strip_nulls(jsonb_build_object(
    'name', p_step -> 'name',
    'description', p_step -> 'description',
    'dependencies', p_dependencies,
    'join', coalesce(p_step ->> 'join', 'all'),
    'timeout', tasker.wait_seconds(p_step -> 'timeout'),
    'on_timeout', case when tasker.wait_seconds(p_step -> 'timeout') is not null
      then coalesce(p_step ->> 'on_timeout', 'fail') end,
    'assignee', p_step -> 'assignee'
  )) || jsonb_build_object('await', v_any);
end;
$$;

comment on function tasker.normalize_await is
$$Returns the normal form of a valid step that waits: its alternatives as a list, durations in seconds, defaults filled in, and dependencies as in p_dependencies.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/normalize_retry.sql
create or replace function tasker.normalize_retry(p_retry jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select jsonb_build_object(
    'retryable', coalesce((p_retry ->> 'retryable')::boolean, true),
    'max_attempts', (p_retry ->> 'max_attempts')::numeric::integer,
    'backoff', coalesce(p_retry ->> 'backoff', 'exponential'),
    'base_seconds', trim_scale((p_retry ->> 'base_seconds')::numeric),
    'multiplier', trim_scale((p_retry ->> 'multiplier')::numeric),
    'max_seconds', (p_retry ->> 'max_seconds')::numeric::integer
  );
end;

comment on function tasker.normalize_retry is
$$Returns a valid retry policy in normal form, with null for each value that is taken from settings.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/normalize_child.sql
create or replace function tasker.normalize_child(p_step jsonb, p_dependencies jsonb)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task jsonb := p_step -> 'task';
begin
  -- The context belongs to the user and may have nulls, so it is added after nulls are stripped.
  return jsonb_strip_nulls(jsonb_build_object(
    'name', p_step -> 'name',
    'description', p_step -> 'description',
    'dependencies', p_dependencies,
    'join', coalesce(p_step ->> 'join', 'all'),
    'timeout', tasker.wait_seconds(p_step -> 'timeout'),
    'on_timeout', case when tasker.wait_seconds(p_step -> 'timeout') is not null
      then coalesce(p_step ->> 'on_timeout', 'fail') end,
    'compensate', p_step -> 'compensate',
    'retry', case when jsonb_typeof(p_step -> 'retry') = 'object' then tasker.normalize_retry(p_step -> 'retry') end
  )) || jsonb_build_object(
    'task',
    jsonb_strip_nulls(jsonb_build_object(
      'namespace', v_task -> 'namespace',
      'name', v_task -> 'name',
      'version', v_task -> 'version',
      'abandon', case when (v_task ->> 'abandon')::boolean then true end
    )) || case when jsonb_typeof(v_task -> 'context') = 'object'
      then jsonb_build_object('context', v_task -> 'context')
      -- The default context of a task for an element is the element.
      when jsonb_typeof(p_step -> 'for_each') <> 'null' then '{"context": {"path": "$inputs.element"}}' else '{}' end
  );
end;
$$;

comment on function tasker.normalize_child is
$$Returns a valid step that starts a task in normal form: durations in seconds, defaults filled in, and dependencies as in p_dependencies. If the step is a map and names no context, the context of each task is the map's element.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/normalize_map.sql
create or replace function tasker.normalize_map(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when jsonb_typeof(p_step -> 'for_each') in ('string', 'object') then jsonb_strip_nulls(jsonb_build_object(
    'for_each', jsonb_build_object(
      'step', p_step #> '{for_each,step}',
      'path', coalesce(
        case when jsonb_typeof(p_step -> 'for_each') = 'string' then p_step ->> 'for_each' end,
        p_step #>> '{for_each,path}',
        '$'
      )::jsonpath::text
    ),
    'max_parallel', (p_step ->> 'max_parallel')::numeric::integer,
    'allow_failures', (p_step ->> 'allow_failures')::numeric::integer
  )) else '{}' end;
end;

comment on function tasker.normalize_map is
$$Returns the fields for_each, max_parallel and allow_failures of a valid step in normal form, or an empty object if the step is not a map.$$;
-- <<<

-- >>> db/schema/functions/features/sqlsteps/private/normalize_sql.sql
create or replace function tasker.normalize_sql(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_step ->> 'sql' is null then '{}'::jsonb
    else jsonb_build_object('sql', p_step -> 'sql', 'handler', 'sql:' || (p_step ->> 'sql'))
  end;
end;

comment on function tasker.normalize_sql is
$$Returns the fields "sql" and "handler" of a valid step that names a SQL function, or an empty object if a worker runs the step.$$;
-- <<<

-- >>> db/schema/functions/doors/registration/private/normal_step.sql
create or replace function tasker.normal_step(p_step jsonb, p_dependencies jsonb, p_plain jsonb)
  returns jsonb
  language plpgsql
  immutable
as $$
begin
  return case
    when jsonb_typeof(p_step -> 'await') <> 'null' then tasker.normalize_await(p_step, p_dependencies)
    when jsonb_typeof(p_step -> 'task') <> 'null' then tasker.normalize_child(p_step, p_dependencies) || tasker.normalize_map(p_step)
    else p_plain || tasker.normalize_map(p_step) || tasker.normalize_sql(p_step) || tasker.normalize_limits(p_step)
  end;
end;
$$;

comment on function tasker.normal_step is
$$Door: returns a valid step of a template in normal form. p_plain is the normal form of the step without the fields of features.$$;
-- <<<

-- >>> db/schema/functions/kernel/suspend/private/await_of.sql
create or replace function tasker.await_of(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_step ? 'await' then jsonb_strip_nulls(jsonb_build_object(
    'any', p_step -> 'await',
    'timeout', p_step -> 'timeout',
    'on_timeout', coalesce(p_step ->> 'on_timeout', 'fail'),
    'assignee', p_step -> 'assignee'
  ))
  when p_step ? 'task' then jsonb_strip_nulls(jsonb_build_object(
    'any', '[]'::jsonb,
    'timeout', p_step -> 'timeout',
    'on_timeout', p_step -> 'on_timeout'
  )) || jsonb_build_object('task', p_step -> 'task') end;
end;

comment on function tasker.await_of is
$$Returns the wait of a step in normal form, as the step's row keeps it. Returns null for a step with a handler.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/for_each_of.sql
create or replace function tasker.for_each_of(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_step ? 'for_each' then (p_step -> 'for_each') || jsonb_strip_nulls(jsonb_build_object(
    'max_parallel', p_step -> 'max_parallel',
    'allow_failures', p_step -> 'allow_failures'
  )) end;
end;

comment on function tasker.for_each_of is
$$Returns the reference to the array of a map, as the row of the step keeps it. The step is in normal form. Returns null for a step that is no map.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/handler_of.sql
create or replace function tasker.handler_of(p_step jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(p_step ->> 'handler', case when p_step ? 'task' then 'tasker.task' else 'tasker.await' end);
end;

comment on function tasker.handler_of is
$$Returns the handler of a step in normal form. For a step that waits or starts a task, the handler is "tasker.await" or "tasker.task", which no worker registers.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/normalize_template.sql
create or replace function tasker.normalize_template(p_template jsonb)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps jsonb;
begin
  -- jsonb_strip_nulls is recursive, so the caller's own JSON (initialization) is added after it.
  select coalesce(jsonb_agg(
      tasker.normal_step(s.value, d.dependencies, jsonb_strip_nulls(jsonb_build_object(
        'name', s.value -> 'name',
        'description', s.value -> 'description',
        'handler', coalesce(s.value ->> 'handler', s.value ->> 'name'),
        'dependencies', d.dependencies,
        'join', coalesce(s.value ->> 'join', 'all'),
        'retry', tasker.normalize_retry(s.value -> 'retry'),
        'timeout_seconds', (s.value ->> 'timeout_seconds')::numeric::integer,
        'priority', coalesce((s.value ->> 'priority')::numeric::integer, 0),
        'compensate', s.value -> 'compensate',
        'start_within', tasker.wait_seconds(s.value -> 'start_within'),
        'limit', s.value -> 'limit',
        'limit_key', (s.value ->> 'limit_key')::jsonpath::text
      )) || jsonb_build_object('initialization', coalesce(nullif(s.value -> 'initialization', 'null'), '{}')))
      order by s.no
    ), '[]')
    into v_steps
    from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
   cross join lateral (
     select coalesce(jsonb_agg(
         case
           when jsonb_typeof(e.value) = 'string' then e.value
           when e.value ->> 'when' is null and coalesce(e.value ->> 'on', 'complete') = 'complete' then e.value -> 'step'
           else jsonb_strip_nulls(jsonb_build_object(
             'step', e.value -> 'step', 'when', (e.value ->> 'when')::jsonpath::text, 'on', nullif(e.value ->> 'on', 'complete')
           ))
         end
         order by coalesce(e.value ->> 'step', e.value #>> '{}') collate "C"
       ), '[]') as dependencies
       from jsonb_array_elements(nullif(s.value -> 'dependencies', 'null')) as e (value)
   ) as d;

  return jsonb_strip_nulls(jsonb_build_object(
    'namespace', p_template -> 'namespace',
    'name', p_template -> 'name',
    'version', coalesce(p_template ->> 'version', '0.1.0'),
    'description', p_template -> 'description',
    'identity_strategy', coalesce(p_template ->> 'identity_strategy', 'strict'),
    'on_failure', coalesce(p_template ->> 'on_failure', 'continue'),
    'on_undo', nullif(p_template ->> 'on_undo', 'cancel'),
    'lifecycle', jsonb_build_object(
      'max_waiting_for_dependencies_minutes',
      (p_template #>> '{lifecycle,max_waiting_for_dependencies_minutes}')::numeric::integer,
      'max_waiting_for_retry_minutes',
      (p_template #>> '{lifecycle,max_waiting_for_retry_minutes}')::numeric::integer,
      'max_steps_in_process_minutes',
      (p_template #>> '{lifecycle,max_steps_in_process_minutes}')::numeric::integer
    )
  )) || jsonb_build_object('steps', v_steps)
    || case when p_template ?| '{input_schema,encrypted,start_on,cancel_on,runs,attributes}' then tasker.normal_fields(p_template) else '{}' end;
end;
$$;

comment on function tasker.normalize_template is
$$Returns a valid template in normal form: defaults filled in, dependencies and numbers in one spelling, dependencies sorted. Values that come from settings stay absent. Steps keep their order, because it determines their numbers.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/template_differences.sql
create or replace function tasker.template_differences(p_old jsonb, p_new jsonb)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    with old_steps (name, place, value) as materialized (
      select e.value ->> 'name', e.no, e.value
        from jsonb_array_elements(p_old -> 'steps') with ordinality as e (value, no)
    ),
    new_steps (name, place, value) as materialized (
      select e.value ->> 'name', e.no, e.value
        from jsonb_array_elements(p_new -> 'steps') with ordinality as e (value, no)
    ),
    changed (path, old_value, new_value) as (
      select k.key, p_old -> k.key, p_new -> k.key
        from jsonb_object_keys(p_old || p_new) as k (key)
       where k.key <> 'steps'
      union all
      select
        format('step "%s"', coalesce(n.name, o.name)), to_jsonb('at position ' || o.place), to_jsonb('at position ' || n.place)
      from old_steps as o
      full join new_steps as n
        on n.name = o.name
      union all
      select format('step "%s" %s', n.name, k.key), o.value -> k.key, n.value -> k.key
        from old_steps as o
        join new_steps as n
          on n.name = o.name
         and n.value <> o.value
       cross join jsonb_object_keys(o.value || n.value) as k (key)
    ),
    shown as (
      select
        format(
          '%s is %s, not %s', c.path,
          left(coalesce(c.old_value #>> '{}', 'absent'), 200), left(coalesce(c.new_value #>> '{}', 'absent'), 200)
        ) as line,
        row_number() over (order by c.path) as place,
        count(*) over () as total
      from changed as c
      where c.old_value is distinct from c.new_value
    )
    select string_agg(s.line, '; ' order by s.place)
        || case when max(s.total) > 5 then format('; and %s more.', max(s.total) - 5) else '.' end
      from shown as s
     where s.place <= 5
  );
end;
$$;

comment on function tasker.template_differences is
$$Describes the first five differences between two templates in normal form.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/check_same_template.sql
create or replace function tasker.check_same_template(p_old tasker.named_tasks, p_template jsonb, p_hash bytea)
  returns void
  language plpgsql
as $$
begin
  if p_old.content_hash <> p_hash then
    raise exception using
      errcode = 'TK409',
      message = format(
        'template "%s/%s" version "%s" is registered with other content',
        p_template ->> 'namespace', p_template ->> 'name', p_template ->> 'version'
      ),
      detail  = tasker.template_differences(p_old.configuration, p_template),
      hint    = 'Register the new content under a new version.';
  end if;
end;
$$;

comment on function tasker.check_same_template is
$$Raises TK409 if this version of a template is already registered with other content. The detail names the differences.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/type_difference.sql
create or replace function tasker.type_difference(p_difference jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select format(
    '%s is %s, not %s',
    case p_difference ->> 'of' when '$context' then 'the context' else format('the result of "%s"', p_difference ->> 'of') end,
    p_difference ->> 'registered', p_difference ->> 'named'
  );
end;

comment on function tasker.type_difference is
$$Describes a difference that tasker.type_differences has found.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/type_differences.sql
create or replace function tasker.type_differences(p_registered jsonb, p_types jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(
    jsonb_agg(
      jsonb_build_object('of', d.key, 'registered', left(d.registered, 200), 'named', left(d.named, 200))
      order by d.key
    ),
    '[]'
  )
  from (
    select n.key, o.value as registered, n.value as named
      from jsonb_each_text(p_types) as n (key, value)
      join jsonb_each_text(p_registered) as o (key, value)
        on o.key = n.key
       and o.value <> n.value
     order by n.key
     limit 100
  ) as d;
end;

comment on function tasker.type_differences is
$$Returns the differences between the types that a program names and the registered types, as an array of objects with the fields "of" ("$context", or the step whose result has the type), "registered" and "named". A type that is only registered or only named is no difference.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/note_template_types.sql
create or replace function tasker.note_template_types(p_template tasker.named_tasks, p_types jsonb)
  returns void
  language plpgsql
as $$
declare
  v_differences text;
begin
  if coalesce(p_template.types, '{}') @> coalesce(p_types, '{}') then
    return;
  end if;
  select string_agg(tasker.type_difference(d.value), '; ' order by d.no)
    into v_differences
    from jsonb_array_elements(tasker.type_differences(p_template.types, p_types)) with ordinality as d (value, no);
  if v_differences is not null then
    raise exception using
      errcode = 'TK409',
      message = format(
        'template "%s/%s" version "%s" is registered with other types',
        p_template.configuration ->> 'namespace', p_template.name, p_template.version
      ),
      detail  = left(v_differences, 2000) || '.',
      hint    = 'Register the new types under a new version, or leave the type as it is: what may be left out of a result (omitempty) may be added.';
  end if;

  -- Another program, such as a program in another language, may have named fewer types.
  update tasker.named_tasks as k
     set types = p_types || coalesce(k.types, '{}')
   where k.named_task_uuid = p_template.named_task_uuid;
end;
$$;

comment on function tasker.note_template_types is
$$Adds the types that a program named to the types of a registered template. Raises TK409 if the program has another type for a result or the context than earlier programs. If only one program names a type, there is no difference.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/raise_template_not_found.sql
create or replace function tasker.raise_template_not_found(p_namespace text, p_name text, p_version text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_versions text;
begin
  select string_agg(format('"%s"%s', x.version, case when x.retired then ' (retired)' else '' end), ', ' order by x.place)
    into v_versions
    from (
      select k.version, k.retired_at is not null as retired,
             row_number() over (order by k.created_at desc, k.named_task_uuid desc) as place
        from tasker.named_tasks as k
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
       where n.name = p_namespace
         and k.name = p_name
    ) as x
   where x.place <= 5;

  if v_versions is not null and p_version is null then
    raise exception using
      errcode = 'TK410',
      message = format('every version of template "%s/%s" is retired', p_namespace, p_name),
      detail  = format('Its newest versions are %s.', v_versions),
      hint    = 'Register a new version.';
  end if;
  raise exception using
    errcode = 'TK404',
    message = case
      when p_namespace is null then 'the namespace of the template is null'
      when p_name is null then 'the name of the template is null'
      else format('template "%s/%s"%s does not exist',
        left(p_namespace, 100), left(p_name, 100), ' version "' || left(p_version, 100) || '"')
    end,
    hint    = coalesce(
      'Its newest versions are ' || v_versions || '.',
      'Register it with tasker.register_task_template(template).'
    );
end;
$$;

comment on function tasker.raise_template_not_found is
$$Raises TK404 for a template, with the existing versions. Raises TK410 if no version was named and all versions are retired.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/insert_handlers.sql
create or replace function tasker.insert_handlers(p_steps jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Insert the handlers in one order, so that two registrations of the same handlers wait for each other and do not
  -- deadlock.
  insert into tasker.named_steps (name)
  select h.name
    from (
      select tasker.handler_of(e.value) as name from jsonb_array_elements(p_steps) as e (value)
      union
      select e.value ->> 'compensate' from jsonb_array_elements(p_steps) as e (value) where e.value ? 'compensate'
    ) as h
   where not exists (select from tasker.named_steps as k where k.name = h.name)
   order by h.name
  on conflict (name) do nothing;
end;
$$;

comment on function tasker.insert_handlers is
$$Inserts the missing handlers of steps in normal form. The caller's next statement sees the handlers that another session inserts at the same time.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/check_limit_count.sql
create or replace function tasker.check_limit_count(p_namespace text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if (select count(*) from tasker.limits as l where l.namespace = p_namespace) > 1000 then
    raise exception using
      errcode = 'TK413',
      message = format('namespace "%s" would have more than 1000 limits', left(p_namespace, 100)),
      hint    = 'A limit has any number of keys: one limit with limit_key serves all customers.';
  end if;
end;
$$;

comment on function tasker.check_limit_count is
$$Raises TK413 if a namespace has more than 1,000 limits.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/limits_of.sql
create or replace function tasker.limits_of(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select jsonb_path_query_array(p_step, '$.limit') || jsonb_path_query_array(p_step, '$.limits[*].limit');
end;

comment on function tasker.limits_of is
$$Returns the names of the limits of a step in normal form as an array, the step's own limit first.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/names_limit.sql
create or replace function tasker.names_limit(p_steps jsonb, p_name text)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select exists (select from jsonb_array_elements(p_steps) as e (value) where tasker.limits_of(e.value) ? p_name);
end;

comment on function tasker.names_limit is
$$Returns true if one of these steps in normal form names the limit.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/note_limit_places.sql
create or replace function tasker.note_limit_places(p_namespace text, p_steps jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_places jsonb := jsonb_path_query_array(p_steps, '$[*] ? (exists (@.limit_units) || exists (@.limit_hold) || exists (@.limits))');
  v_inputs jsonb := jsonb_path_query_array(p_steps, '$[*] ? (exists (@.limit_bound) || exists (@.limits[*].limit_bound))');
  v_limits integer[];
begin
  -- Lock in the order of the numbers, so that two registrations wait for each other and do not deadlock.
  v_limits := array(
    select l.limit_no
      from tasker.limits as l
     where l.namespace = p_namespace
       and (
         not l.with_places and tasker.names_limit(v_places, l.name)
         or not l.with_inputs and tasker.names_limit(v_inputs, l.name)
       )
     order by l.limit_no
       for no key update
  );
  update tasker.limits as l
     set with_places = l.with_places or tasker.names_limit(v_places, l.name),
         with_inputs = l.with_inputs or tasker.names_limit(v_inputs, l.name)
   where l.limit_no = any (v_limits);
end;
$$;

comment on function tasker.note_limit_places is
$$Marks the limits of steps that need several places or several limits, that hold their places for a whole run, or whose tasks give a key a bound. For a marked limit, claims also count the places in tasker.limit_places and read these bounds.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/insert_limits.sql
create or replace function tasker.insert_limits(p_namespace text, p_steps jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_names text[];
begin
  if not jsonb_path_exists(p_steps, '$[*].limit') then
    return;
  end if;
  v_names := array(
    select distinct n.name
      from jsonb_array_elements(p_steps) as e (value)
     cross join lateral jsonb_array_elements_text(tasker.limits_of(e.value)) as n (name)
  );

  -- Insert in the order of the names, so that two registrations of the same limits wait for each other and do not
  -- deadlock.
  insert into tasker.limits (namespace, name, created_by, updated_by)
  select p_namespace, u.name, tasker.caller_name(), tasker.caller_name()
    from unnest(v_names) as u (name)
   where not exists (select from tasker.limits as l where l.namespace = p_namespace and l.name = u.name)
   order by u.name
  on conflict (namespace, name) do nothing;
  perform tasker.check_limit_count(p_namespace);

  -- A second statement sees the limits that another session inserted meanwhile.
  insert into tasker.limit_handlers (handler, limit_no, named_step_uuid)
  select distinct h.name, l.limit_no, h.named_step_uuid
    from jsonb_array_elements(p_steps) as e (value)
    join tasker.named_steps as h
      on h.name = tasker.handler_of(e.value)
    join tasker.limits as l
      on l.namespace = p_namespace
     and tasker.limits_of(e.value) ? l.name
   where not exists (select from tasker.limit_handlers as k where k.handler = h.name and k.limit_no = l.limit_no)
   order by h.name, l.limit_no
  on conflict (handler, limit_no) do nothing;

  if jsonb_path_exists(p_steps, '$[*] ? (exists (@.limit_units) || exists (@.limit_hold) || exists (@.limit_bound) || exists (@.limits))') then
    perform tasker.note_limit_places(p_namespace, p_steps);
  end if;
end;
$$;

comment on function tasker.insert_limits is
$$Inserts the limits that steps in normal form name, without bounds, if the namespace lacks them. Also inserts the handlers of these limits. Raises TK413 if the namespace then has more than 1,000 limits.$$;
-- <<<

-- >>> db/schema/functions/doors/registration/private/register_steps.sql
create or replace function tasker.register_steps(p_namespace text, p_steps jsonb)
  returns void
  language plpgsql
as $$
begin
  perform tasker.insert_limits(p_namespace, p_steps);
  if jsonb_path_exists(p_steps, '$[*] ? (exists (@.sql) || @.compensate starts with "sql:")') then
    perform tasker.check_sql_functions(p_namespace, p_steps);
  end if;
end;
$$;

comment on function tasker.register_steps is
$$Door: steps in normal form are about to be inserted. Their handlers have been inserted. Inserts the rows that features
need for these steps, and checks the names in the steps.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/limit_key_of.sql
create or replace function tasker.limit_key_of(p_path jsonpath, p_context jsonb, p_inputs jsonb)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_key text := coalesce(
    case when tasker.regex_error(p_path::text) is null
      then jsonb_path_query_first(p_context, p_path, jsonb_build_object('inputs', p_inputs), true) #>> '{}'
    end, ''
  );
begin
  if length(v_key) <= 200 then
    return v_key;
  end if;
  return left(v_key, 100) || '#' || encode(sha256(convert_to(v_key, 'UTF8')), 'hex');
end;
$$;

comment on function tasker.limit_key_of is
$$Returns the key that a step has in its limit: the first value at the path in the task's context, as text. The key is the empty text if there is no value or no path, or if the path has a regular expression that is too costly. A text of more than 200 characters is cut, and gets a hash that distinguishes it.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/limit_key_in.sql
create or replace function tasker.limit_key_in(p_task_uuid uuid, p_path jsonpath, p_inputs jsonb)
  returns text
  language plpgsql
  stable
as $$
begin
  return tasker.limit_key_of(p_path, (select t.context from tasker.tasks as t where t.task_uuid = p_task_uuid), p_inputs);
end;
$$;

comment on function tasker.limit_key_in is
$$Returns the key of a step in its limit, which tasker.limit_key_of computes from the task's context. This is a function of its own, so that statements about steps without limits need not prepare this query.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/template_step_numbers.sql
create or replace function tasker.template_step_numbers(p_named_task_uuid uuid, p_template jsonb)
  returns integer[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_others uuid[] := array(
    select k.named_task_uuid
      from tasker.named_tasks as n
      join tasker.named_tasks as k
        on k.task_namespace_uuid = n.task_namespace_uuid
       and k.name = n.name
       and k.named_task_uuid <> n.named_task_uuid
     where n.named_task_uuid = p_named_task_uuid
     order by k.created_at desc, k.named_task_uuid desc
  );
  v_last   integer := coalesce((
    select max(l.step_no)
      from unnest(v_others) as o (named_task_uuid)
     cross join lateral (
       select s.step_no
         from tasker.named_tasks_named_steps as s
        where s.named_task_uuid = o.named_task_uuid
        order by s.step_no desc
        limit 1
     ) as l
  ), 0);
  v_by_name jsonb;
  v_known   integer[];
  v_new     integer;
  v_numbers integer[];
begin
  if v_last = 0 then
    return array(select generate_series(1, jsonb_array_length(p_template -> 'steps')));
  end if;

  -- Collect the numbers by name. If a name has several numbers, the last number is kept, which is the number in the
  -- newest version.
  select jsonb_object_agg(s.step_name, s.step_no order by o.age desc)
    into v_by_name
    from unnest(v_others) with ordinality as o (named_task_uuid, age)
    join tasker.named_tasks_named_steps as s
      on s.named_task_uuid = any (array[o.named_task_uuid]);
  v_known := array(
    select (v_by_name ->> (e.value ->> 'name'))::integer
      from jsonb_array_elements(p_template -> 'steps') with ordinality as e (value, no)
     order by e.no
  );
  v_new := cardinality(v_known) - cardinality(array_remove(v_known, null));
  -- Numbers of new names follow all numbers that any version has used. If these numbers are used up, they fill the gaps
  -- of this version.
  v_numbers := array(
    select n.no
      from generate_series(case when v_last + v_new > 65535 then 1 else v_last + 1 end, 65535) as n (no)
     where v_last + v_new <= 65535
        or n.no <> all (array_remove(v_known, null))
     limit v_new
  );
  return array(
    select coalesce(k.no, v_numbers[k.place])
      from (
        select u.no, u.ord, count(*) filter (where u.no is null) over (order by u.ord) as place
          from unnest(v_known) with ordinality as u (no, ord)
      ) as k
     order by k.ord
  );
end;
$$;

comment on function tasker.template_step_numbers is
$$Returns the numbers of a new version's steps, in the order of the template. If another version has a step of the same name, the step gets its number from that version, and from the newest such version if there are several. All other steps get new numbers, in order. The caller has inserted the version and holds the lock on its namespace.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/insert_template_steps.sql
create or replace function tasker.insert_template_steps(p_named_task_uuid uuid, p_template jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_wide    boolean   := jsonb_array_length(p_template -> 'steps') >= 1000;
  v_places  jsonb     := tasker.step_places(p_template -> 'steps');
  v_numbers integer[] := tasker.template_step_numbers(p_named_task_uuid, p_template);
begin
  perform tasker.insert_handlers(p_template -> 'steps');
  perform tasker.register_steps(p_template ->> 'namespace', p_template -> 'steps');

  -- This is a second statement, because it must see the handlers that another session inserted in the meantime.
  insert into tasker.named_tasks_named_steps (
    named_task_uuid, step_no, step_name, named_step_uuid, retryable, max_attempts, backoff_base_seconds,
    backoff_multiplier, max_backoff_seconds, timeout_seconds, priority, join_mode, total_parents, initialization, await,
    for_each, limit_no, limit_key, limit_needs, start_within, compensate_uuid, effects
  )
  select
    p_named_task_uuid,
    v_numbers[e.no],
    e.value ->> 'name',
    h.named_step_uuid,
    coalesce((e.value #>> '{retry,retryable}')::boolean, false),
    coalesce((e.value #>> '{retry,max_attempts}')::integer, case when e.value ? 'await' or e.value ? 'task' and not e.value ? 'retry' then 1 end, m.max_attempts),
    (e.value #>> '{retry,base_seconds}')::numeric,
    case e.value #>> '{retry,backoff}'
      when 'constant' then 1
      else (e.value #>> '{retry,multiplier}')::numeric
    end,
    (e.value #>> '{retry,max_seconds}')::integer,
    (e.value ->> 'timeout_seconds')::integer,
    coalesce((e.value ->> 'priority')::integer, 0),
    e.value ->> 'join',
    jsonb_array_length(e.value -> 'dependencies'),
    coalesce(e.value -> 'initialization', '{}'),
    tasker.await_of(e.value),
    tasker.for_each_of(e.value),
    (select l.limit_no from tasker.limits as l where l.namespace = p_template ->> 'namespace' and l.name = e.value ->> 'limit'),
    (e.value ->> 'limit_key')::jsonpath,
    tasker.limit_needs_of(e.value),
    (e.value ->> 'start_within')::numeric,
    (select c.named_step_uuid from tasker.named_steps as c where c.name = e.value ->> 'compensate'),
    tasker.step_effects(e.value)
  from jsonb_array_elements(p_template -> 'steps') with ordinality as e (value, no)
  join tasker.named_steps as h
    on h.name = tasker.handler_of(e.value)
  cross join (select tasker.setting_integer('max_attempts') as max_attempts) as m;

  -- With the statistics of small templates, the planner gives all indexes the same cost. Until autovacuum runs, foreign
  -- key checks and the engine's queries could then use the wrong index and read the whole template.
  if v_wide then
    analyze tasker.named_tasks_named_steps;
  end if;

  -- Take step numbers from the template, because a query on the table would depend on the table's statistics.
  insert into tasker.named_task_edges (named_task_uuid, from_step_no, to_step_no, condition, outcome)
  select
    p_named_task_uuid,
    v_numbers[(v_places ->> coalesce(d.value ->> 'step', d.value #>> '{}'))::integer],
    v_numbers[e.no],
    (d.value ->> 'when')::jsonpath,
    d.value ->> 'on'
  from jsonb_array_elements(p_template -> 'steps') with ordinality as e (value, no)
  cross join jsonb_array_elements(e.value -> 'dependencies') as d (value);
  if v_wide then
    analyze tasker.named_task_edges;
  end if;
  if jsonb_path_exists(p_template, '$.steps[*].dependencies[*].on') then
    perform tasker.steps_registered(p_named_task_uuid);
  end if;
  if p_template ?| '{encrypted,start_on,cancel_on,attributes}' then
    perform tasker.version_registered(p_named_task_uuid, p_template);
  end if;
end;
$$;

comment on function tasker.insert_template_steps is
$$Inserts the steps, handlers and edges of a template in normal form, and the rows that features keep for their own fields. Analyzes the tables if the template has many steps. The caller has just inserted the template itself.$$;
-- <<<

-- >>> db/schema/functions/features/publishing/private/published_lane.sql
create or replace function tasker.published_lane(p_lane tasker.queue_lane)
  returns tasker.queue_lane
  language sql
  immutable
  parallel safe
begin atomic
  select case p_lane
    when 'high' then 'published_high'::tasker.queue_lane
    when 'low' then 'published_low'::tasker.queue_lane
    else 'published_normal'::tasker.queue_lane
  end;
end;

comment on function tasker.published_lane is
$$Returns the lane that rows of this lane have while a broker's message carries them.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/table_lane.sql
create or replace function tasker.table_lane(p_lane tasker.queue_lane)
  returns tasker.queue_lane
  language sql
  immutable
  parallel safe
begin atomic
  select case p_lane
    when 'published_high' then 'high'::tasker.queue_lane
    when 'published_normal' then 'normal'::tasker.queue_lane
    when 'published_low' then 'low'::tasker.queue_lane
    else p_lane
  end;
end;

comment on function tasker.table_lane is
$$Returns the lane of a row that is not sent in a message of a broker. It is the inverse of tasker.published_lane. Returns other lanes unchanged.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/brokered_namespaces.sql
create or replace function tasker.brokered_namespaces()
  returns text[]
  language sql
  stable
begin atomic
  select array(select n.name from tasker.task_namespaces as n where n.transport = 'broker');
end;

comment on function tasker.brokered_namespaces is
$$Returns the namespaces whose ready steps go to workers through a broker. Workers claim these steps by the broker's messages only.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/unpublish_steps.sql
create or replace function tasker.unpublish_steps(p_namespace text)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_steps integer;
begin
  update tasker.step_queue as q
     set lane       = tasker.table_lane(q.lane),
         visible_at = tasker.write_clock()
   where q.namespace = p_namespace
     and q.lane in ('published_high', 'published_normal', 'published_low');
  get diagnostics v_steps = row_count;
  if v_steps > 0 then
    perform tasker.notify_steps_ready(p_namespace);
  end if;
  return v_steps;
end;
$$;

comment on function tasker.unpublish_steps is
$$Returns the published steps of a namespace to the lanes that workers claim from, wakes workers, and returns the number of these steps. A message that arrives later either finds that its step is gone, or claims the step first.

Locks queue rows. The caller holds the namespace.$$;
-- <<<

-- >>> db/schema/functions/doors/registration/private/check_transport.sql
create or replace function tasker.check_transport(p_namespace text)
  returns void
  language plpgsql
as $$
begin
  perform tasker.check_sql_transport(p_namespace);
end;
$$;

comment on function tasker.check_transport is
$$Door: a namespace has been registered, perhaps with another transport. Raises an error if a feature of the namespace does not work with this transport.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/register_namespace.sql
create or replace function tasker.register_namespace(
  p_name               text,
  p_description        text     default null,
  p_transport          text     default null,
  p_priority_modifier  numeric  default null,
  p_notify             text     default null,
  p_actor              text     default null,
  p_reason             text     default null
)
  returns setof tasker.task_namespaces
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_name]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_text_size('description', p_description, 4000);
  if p_name is null or p_name !~ '^[a-z][a-z0-9_]{0,28}$' then
    raise exception using
      errcode = 'TK422',
      message = format('%s is not a valid namespace name', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'A name is a lower-case letter, then at most 28 letters, digits and underscores.';
  end if;
  if p_transport not in ('table', 'pgmq', 'broker')
     or p_priority_modifier not between -1000000 and 1000000
     or p_notify not in ('always', 'asleep', 'off', 'default') then
    raise exception using
      errcode = 'TK422',
      message = format('namespace "%s" cannot be registered with these values', p_name),
      detail  = format(
        'transport %s, priority modifier %s, notify %s',
        left(p_transport, 100), left(p_priority_modifier::text, 40), left(p_notify, 100)
      ),
      hint    = 'The transport is table, pgmq or broker, the modifier is from -1000000 to 1000000, notify is always, asleep, off or default.';
  end if;

  insert into tasker.task_namespaces (name)
  values (p_name)
  on conflict (name) do nothing;

  update tasker.task_namespaces as n
     set description       = coalesce(p_description, n.description),
         transport         = coalesce(p_transport, n.transport),
         priority_modifier = coalesce(p_priority_modifier, n.priority_modifier),
         notify            = case when p_notify is null then n.notify else nullif(p_notify, 'default') end,
         updated_at        = tasker.clock()
   where n.name = p_name
     and (
       n.description is distinct from coalesce(p_description, n.description)
       or n.transport <> coalesce(p_transport, n.transport)
       or n.priority_modifier <> coalesce(p_priority_modifier, n.priority_modifier)
       or n.notify is distinct from case when p_notify is null then n.notify else nullif(p_notify, 'default') end
     );

  -- Check after the change: its lock on the row prevents a binding at the same time.
  perform tasker.check_transport(p_name);
  if p_transport in ('table', 'pgmq') then
    perform tasker.unpublish_steps(p_name);
  end if;
  if p_transport = 'pgmq' then
    perform tasker.ensure_task_queue(tasker.step_queue_name(p_name, l.lane), p_actor, p_reason)
       from unnest('{high,normal,low}'::tasker.queue_lane[]) as l (lane);
  end if;

  return query
  select n.*
    from tasker.task_namespaces as n
   where n.name = p_name;
end;
$$;

comment on function tasker.register_namespace is
$$Creates a namespace if it does not exist, sets the given values, and returns it. Null leaves a value unchanged, or at its default. With transport pgmq, the function creates the namespace's three queues if they do not exist. With transport broker, tasker.publish_steps sends ready steps as messages of a broker. If the transport changes to table or pgmq, published steps return to the queue. p_notify says when NOTIFY announces the namespace's steps and tasks: always, asleep (only while a client sleeps), off, or default (the value of the setting notify).

Idempotent, even if many sessions register it at once. Locks the namespace's row and its rows of tasker.creation_plans if something changes, then queue rows of published steps. Raises TK422 for an invalid name or an unknown transport, TK403 if the caller is bound to other namespaces, TK409 for transport broker while a role is bound for the namespace's SQL steps.$$;

grant execute on function tasker.register_namespace
  to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/template/private/start_cycle.sql
create or replace function tasker.start_cycle(p_namespace text, p_name text)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    -- Visit each pair of templates only once, because there may be many paths between them.
    with recursive started (namespace, name, by) as (
      select p_namespace, p_name, null
      union
      select x.namespace, x.name, s.namespace || '/' || s.name
        from started as s
       cross join lateral (
         select coalesce(c.await #>> '{task,namespace}', n.name) as namespace, c.await #>> '{task,name}' as name
           from tasker.task_namespaces as n
           join tasker.named_tasks as k
             on k.task_namespace_uuid = n.task_namespace_uuid
           join tasker.named_tasks_named_steps as c
             on c.named_task_uuid = k.named_task_uuid
          where n.name = s.namespace
            and k.name = s.name
            and k.retired_at is null
            and c.await ? 'task'
       ) as x
    )
    select s.by
      from started as s
     where s.namespace = p_namespace
       and s.name = p_name
       and s.by is not null
     limit 1
  );
end;
$$;

comment on function tasker.start_cycle is
$$If tasks of this template can lead to further tasks of this template, returns the template whose steps start them, which may be the template itself. Otherwise returns null.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/register_task_template.sql
create or replace function tasker.register_task_template(
  p_template  jsonb,
  p_actor     text   default null,
  p_reason    text   default null
)
  returns setof tasker.template_registrations
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_template  jsonb;
  v_hash      bytea;
  v_types     jsonb := nullif(p_template -> 'types', 'null');
  v_namespace uuid;
  v_old       tasker.named_tasks;
  v_uuid      uuid;
  v_cycle     text;
begin
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_depth('template', p_template);
  perform tasker.check_task_template(p_template);
  v_template := tasker.normalize_template(p_template);
  perform tasker.check_bound_namespaces(array(
    select distinct s.value #>> '{task,namespace}' from jsonb_array_elements(v_template -> 'steps') as s (value)
  ));
  v_hash := sha256(convert_to(v_template::text, 'UTF8'));

  select n.task_namespace_uuid
    into strict v_namespace
    from tasker.register_namespace(v_template ->> 'namespace', p_actor => p_actor, p_reason => p_reason) as n;

  -- Only one session at a time registers a new version, because its steps take over the numbers of earlier versions.
  if not exists (
    select from tasker.named_tasks as k
     where k.task_namespace_uuid = v_namespace
       and k.name = v_template ->> 'name'
       and k.version = v_template ->> 'version'
  ) then
    perform from tasker.task_namespaces as n where n.task_namespace_uuid = v_namespace for no key update;
  end if;

  insert into tasker.named_tasks (
    task_namespace_uuid, name, version, description, configuration, content_hash, types, identity_strategy, on_failure,
    total_steps, root_steps, waiting_roots, has_conditions, has_maps, root_effects, has_compensations,
    max_waiting_for_dependencies_minutes, max_waiting_for_retry_minutes, max_steps_in_process_minutes
  )
  values (
    v_namespace, v_template ->> 'name', v_template ->> 'version', v_template ->> 'description',
    v_template, v_hash, v_types, v_template ->> 'identity_strategy', v_template ->> 'on_failure', jsonb_array_length(v_template -> 'steps'),
    jsonb_array_length(jsonb_path_query_array(v_template, '$.steps[*] ? (@.dependencies.size() == 0 && !exists (@.for_each))')),
    jsonb_array_length(jsonb_path_query_array(v_template, '$.steps[*] ? (@.dependencies.size() == 0 && !exists (@.for_each) && (exists (@.await) || exists (@.task)))')),
    jsonb_path_exists(v_template, '$.steps[*].dependencies[*].when'),
    jsonb_path_exists(v_template, '$.steps[*] ? (exists (@.for_each) || exists (@.dependencies[*].on) || @.join == "first")'),
    tasker.root_effects(v_template),
    jsonb_path_exists(v_template, '$.steps[*].compensate'),
    (v_template #>> '{lifecycle,max_waiting_for_dependencies_minutes}')::integer,
    (v_template #>> '{lifecycle,max_waiting_for_retry_minutes}')::integer,
    (v_template #>> '{lifecycle,max_steps_in_process_minutes}')::integer
  )
  on conflict (task_namespace_uuid, name, version) do nothing
  returning named_task_uuid into v_uuid;

  if v_uuid is not null then
    perform tasker.insert_template_steps(v_uuid, v_template);
    v_cycle := case when jsonb_path_exists(v_template, '$.steps[*].task') then tasker.start_cycle(v_template ->> 'namespace', v_template ->> 'name') end;
    if v_cycle is not null then
      raise warning using
        errcode = '01000',
        message = format('template "%s/%s" can start itself', v_template ->> 'namespace', v_template ->> 'name'),
        detail  = format('Its tasks start those of "%s", which start it.', v_cycle),
        hint    = 'Such tasks need an end, such as a condition on the step that starts the next; the setting "max_task_tree" bounds the tasks below one root.';
    end if;
  else
    -- A second statement sees the rows that another session committed while the first statement waited.
    select k.* into strict v_old
      from tasker.named_tasks as k
     where k.task_namespace_uuid = v_namespace
       and k.name = v_template ->> 'name'
       and k.version = v_template ->> 'version';

    perform tasker.check_same_template(v_old, v_template, v_hash);
    perform tasker.note_template_types(v_old, v_types);
  end if;

  return query
  select
    coalesce(v_uuid, v_old.named_task_uuid), v_template ->> 'namespace', v_template ->> 'name', v_template ->> 'version',
    jsonb_array_length(v_template -> 'steps'), v_hash, v_uuid is not null, v_old.retired_at;
end;
$$;

comment on function tasker.register_task_template is
$$Registers a version of a task template, and creates its namespace if the namespace is new. tasker.template_fields lists the fields.

Idempotent: the same content again, in any spelling, changes nothing and returns created = false. A retired version stays retired. Steps of a new version keep the numbers that steps of the same name have in other versions. Many sessions may register the same version at once. Warns (01000) if a template can start itself. A new version locks the namespace, then the template and its row of tasker.creation_plans, then new handlers by name.

Raises TK422 if the template is invalid (the error names the field). Raises TK403 if the caller is not bound to the namespaces of the template and of the tasks that its steps start. Raises TK409 if the version is registered with other content, or if a result or the context has another type in the field "types" than the program declared that registered the version. The detail of TK409 lists the differences.$$;

grant execute on function tasker.register_task_template to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/template/get_task_template.sql
create or replace function tasker.get_task_template(p_namespace text, p_name text, p_version text default null)
  returns setof tasker.task_templates
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  return query
  select
    k.named_task_uuid, n.name, k.name, k.version, k.description, k.identity_strategy, k.on_failure,
    (
      select count(*)::integer
        from tasker.named_tasks_named_steps as s
       where s.named_task_uuid = k.named_task_uuid
    ),
    k.content_hash, k.created_at, k.retired_at, k.configuration
  from tasker.task_namespaces as n
  join tasker.named_tasks as k
    on k.task_namespace_uuid = n.task_namespace_uuid
  where n.name = p_namespace
    and k.name = p_name
    and (k.version = p_version or (p_version is null and k.retired_at is null))
  order by k.created_at desc, k.named_task_uuid desc
  limit 1;

  if not found then
    perform tasker.raise_template_not_found(p_namespace, p_name, p_version);
  end if;
end;
$$;

comment on function tasker.get_task_template is
$$Returns a registered template. With a version, returns that version, retired or not. Without a version, returns the version that was registered last and is not retired.

Raises TK404 if there is no such template, TK410 if p_version is null and all versions are retired, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_template
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/template/list_task_templates.sql
create or replace function tasker.list_task_templates(p_namespace text default null)
  returns setof tasker.task_template_summaries
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  return query
  select
    k.named_task_uuid, n.name, k.name, k.version, k.description, k.identity_strategy, k.on_failure,
    (
      select count(*)::integer
        from tasker.named_tasks_named_steps as s
       where s.named_task_uuid = k.named_task_uuid
    ),
    k.created_at, k.retired_at
  from tasker.task_namespaces as n
  join tasker.named_tasks as k
    on k.task_namespace_uuid = n.task_namespace_uuid
  where (p_namespace is null or n.name = p_namespace)
    and (v_bound is null or n.name = any (v_bound))
  order by n.name, k.name, k.created_at desc, k.named_task_uuid desc;
end;
$$;

comment on function tasker.list_task_templates is
$$Returns the registered templates of a namespace, or of all namespaces, including retired versions. They are ordered by name, with the newest version first. A bound caller sees only its own namespaces.

Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_task_templates
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/template/retire_task_template.sql
create or replace function tasker.retire_task_template(
  p_namespace  text,
  p_name       text,
  p_version    text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  update tasker.named_tasks as k
     set retired_at = tasker.clock()
    from tasker.task_namespaces as n
   where n.name = p_namespace
     and k.task_namespace_uuid = n.task_namespace_uuid
     and k.name = p_name
     and k.version = p_version
     and k.retired_at is null;
  if found then
    return true;
  end if;

  if not exists (
    select
      from tasker.task_namespaces as n
      join tasker.named_tasks as k
        on k.task_namespace_uuid = n.task_namespace_uuid
     where n.name = p_namespace
       and k.name = p_name
       and k.version = p_version
  ) then
    perform tasker.raise_template_not_found(p_namespace, p_name, coalesce(p_version, 'null'));
  end if;
  return false;
end;
$$;

comment on function tasker.retire_task_template is
$$Retires a version of a template: no new tasks can be created from it. Existing tasks keep running. Returns true if this call retired the version.

Idempotent. A retirement is permanent. Locks the template's row, then its row of tasker.creation_plans. Raises TK404 if there is no such version, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.retire_task_template to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/rows/operate/inspect/dependency_levels.sql
create or replace view tasker.dependency_levels as
select
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  0::integer as dependency_level
where false;

comment on view tasker.dependency_levels is
  'Row type: a step and its level in its task''s graph.';
comment on column tasker.dependency_levels.dependency_level is
  'The length of the longest path from a step without parents, which is on level 0. Steps of one level do not depend on one another.';
-- <<<

-- >>> db/schema/rows/operate/inspect/step_transitive_dependencies.sql
create or replace view tasker.step_transitive_dependencies as
select
  ''::text as step_name,
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as distance,
  'pending'::tasker.step_state as current_state,
  false::boolean as processed,
  null::jsonb as results
where false;

comment on view tasker.step_transitive_dependencies is
  'Row type: a step that another step depends on, directly or not.';
comment on column tasker.step_transitive_dependencies.distance is
  'The number of edges on the shortest path: 1 for a parent.';
comment on column tasker.step_transitive_dependencies.processed is
  'Whether the step is complete or resolved manually.';
-- <<<

-- >>> db/schema/rows/operate/inspect/step_dag_nodes.sql
create or replace view tasker.step_dag_nodes as
select
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as named_step_uuid,
  ''::text as name,
  '{}'::uuid[] as parent_step_uuids,
  '{}'::uuid[] as child_step_uuids,
  0::integer as parent_count,
  0::integer as child_count,
  false::boolean as is_root_step,
  false::boolean as is_leaf_step,
  0::integer as min_depth_from_root,
  0::integer as dependency_level,
  '{}'::text[] as parent_outcomes
where false;

comment on view tasker.step_dag_nodes is
  'Row type: a step as a node of its task''s graph.';
comment on column tasker.step_dag_nodes.min_depth_from_root is
  'The length of the shortest path from a step without parents.';
comment on column tasker.step_dag_nodes.dependency_level is
  'The length of the longest path from a step without parents.';
comment on column tasker.step_dag_nodes.parent_outcomes is
  'The outcome of each parent that the step waits for: complete, failed or ended. The outcomes are in the order of parent_step_uuids.';
-- <<<

-- >>> db/schema/functions/kernel/lock/private/check_task_exists.sql
create or replace function tasker.check_task_exists(p_task_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from tasker.tasks as t where t.task_uuid = p_task_uuid) then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.check_task_exists is
$$Raises TK404 if there is no such task.$$;
-- <<<

-- >>> db/schema/functions/kernel/lock/private/check_step_exists.sql
create or replace function tasker.check_step_exists(p_step_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and s.step_no = tasker.step_no_of(p_step_uuid)
  ) then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
end;
$$;

comment on function tasker.check_step_exists is
$$Raises TK404 if there is no such step.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/task_levels.sql
create or replace function tasker.task_levels(p_task_uuid uuid)
  returns integer[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_nodes  integer;
  v_from   integer[];
  v_to     integer[];
  v_levels integer[];
begin
  select coalesce(max(s.step_no), 0)
    into v_nodes
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid;
  select coalesce(array_agg(e.from_step_no), '{}'), coalesce(array_agg(e.to_step_no), '{}')
    into v_from, v_to
    from tasker.workflow_step_edges as e
   where e.task_uuid = p_task_uuid;

  v_levels := tasker.graph_levels(v_nodes, v_from, v_to);
  if array_position(v_levels, -1) is not null then
    raise exception using
      errcode = 'TK409',
      message = format('the graph of task %s has a cycle', p_task_uuid),
      detail  = format('Its steps %s.', array_to_string(tasker.graph_cycle(v_levels, v_from, v_to), ' -> ')),
      hint    = 'No function of pgtasker creates a cycle: edges were inserted by hand. Remove one of them.';
  end if;
  return v_levels;
end;
$$;

comment on function tasker.task_levels is
$$Returns the level of each step of a task by its number. Raises TK409 if the graph has a cycle, which only happens if edges were inserted by hand.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/step_ancestors.sql
create or replace function tasker.step_ancestors(p_step_uuid uuid)
  returns integer[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task     uuid    := tasker.task_uuid_of(p_step_uuid);
  v_step     integer := tasker.step_no_of(p_step_uuid);
  v_template uuid;
  v_added    boolean;
  v_nodes    integer;
  v_from     integer[];
  v_to       integer[];
begin
  select t.named_task_uuid, t.has_added_edges
    into v_template, v_added
    from tasker.tasks as t
   where t.task_uuid = v_task;

  -- Collect each edge above the step once. Then compute the shortest paths.
  with recursive above (from_step_no, to_step_no) as (
    select e.from_step_no, e.to_step_no
      from tasker.step_parents(v_task, v_template, v_added, v_step) as e
    union
    select e.from_step_no, e.to_step_no
      from above as a
     cross join lateral tasker.step_parents(v_task, v_template, v_added, a.from_step_no) as e
  )
  select max(a.from_step_no), array_agg(a.from_step_no), array_agg(a.to_step_no)
    into v_nodes, v_from, v_to
    from above as a;

  if v_nodes is null then
    return '{}';
  end if;
  return tasker.graph_distances(greatest(v_nodes, v_step), array[v_step], v_to, v_from);
end;
$$;

comment on function tasker.step_ancestors is
$$Returns the length of the shortest path up from a step to each step above it, by the numbers of those steps. The length is 0 for the step itself, and -1 for a step that is not above it.

The array is empty if the step has no parents. The array may have fewer elements than the task has steps.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/calculate_dependency_levels.sql
create or replace function tasker.calculate_dependency_levels(p_task_uuid uuid)
  returns setof tasker.dependency_levels
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_levels integer[] := tasker.task_levels(p_task_uuid);
begin
  perform tasker.check_bound(p_task_uuid);
  return query
  select s.workflow_step_uuid, v_levels[s.step_no]
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
   order by 2, s.step_no;

  if not found then
    perform tasker.check_task_exists(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.calculate_dependency_levels is
$$Returns each step of a task with its level, by level, then by step number. A step without parents has level 0. The
level of any other step is 1 more than the highest level of its parents.

The cost is linear in the number of steps and edges. Raises TK404 if the task does not exist, and TK403 if the caller is
bound to other namespaces.$$;

grant execute on function tasker.calculate_dependency_levels
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/calculate_step_depth.sql
create or replace function tasker.calculate_step_depth(p_step_uuid uuid)
  returns integer
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_step_exists(p_step_uuid);
  return (tasker.task_levels(tasker.task_uuid_of(p_step_uuid)))[tasker.step_no_of(p_step_uuid)];
end;
$$;

comment on function tasker.calculate_step_depth is
$$Returns the level of a step: the length of the longest path to it from a step without parents, which has level 0.

The cost is linear in the number of the task's steps and edges. Raises TK404 if the step does not exist, and TK403 if
the caller is bound to other namespaces.$$;

grant execute on function tasker.calculate_step_depth
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/get_step_transitive_dependencies.sql
create or replace function tasker.get_step_transitive_dependencies(p_step_uuid uuid)
  returns setof tasker.step_transitive_dependencies
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_bound(p_step_uuid);
  return query
  select
    s.name, s.workflow_step_uuid, s.task_uuid, a.distance, s.state,
    s.state in ('complete', 'resolved_manually'), s.results
  from unnest(tasker.step_ancestors(p_step_uuid)) with ordinality as a (distance, step_no)
  cross join lateral (
    select s.*
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and s.step_no = a.step_no
    offset 0
  ) as s
  where a.distance > 0
  order by a.distance, s.step_no;

  if not found then
    perform tasker.check_step_exists(p_step_uuid);
  end if;
end;
$$;

comment on function tasker.get_step_transitive_dependencies is
$$Returns the steps that a step depends on, directly or not, the nearest first. Each of these steps has one row, with
its shortest distance. Returns no row for a step without parents.

The cost is linear in the number of edges above the step, to any depth. Raises TK404 if the step does not exist, and
TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_step_transitive_dependencies
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/get_step_dag_relationships.sql
create or replace function tasker.get_step_dag_relationships(p_task_uuid uuid)
  returns setof tasker.step_dag_nodes
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_levels integer[] := tasker.task_levels(p_task_uuid);
  v_roots  integer[];
  v_depths integer[];
begin
  perform tasker.check_bound(p_task_uuid);
  select coalesce(array_agg(l.step_no::integer), '{}')
    into v_roots
    from unnest(v_levels) with ordinality as l (level, step_no)
   where l.level = 0;
  select tasker.graph_distances(
      cardinality(v_levels),
      v_roots,
      coalesce(array_agg(e.from_step_no), '{}'),
      coalesce(array_agg(e.to_step_no), '{}')
    )
    into v_depths
    from tasker.workflow_step_edges as e
   where e.task_uuid = p_task_uuid;

  return query
  select
    s.workflow_step_uuid, s.task_uuid, s.named_step_uuid, s.name,
    p.uuids, c.uuids, cardinality(p.uuids), cardinality(c.uuids),
    cardinality(p.uuids) = 0, cardinality(c.uuids) = 0,
    v_depths[s.step_no], v_levels[s.step_no], p.outcomes
  from tasker.workflow_steps as s
  cross join lateral (
    select coalesce(array_agg(tasker.step_uuid(e.task_uuid, e.from_step_no) order by e.from_step_no), '{}') as uuids,
           coalesce(array_agg(coalesce(e.outcome, 'complete') order by e.from_step_no), '{}') as outcomes
      from tasker.workflow_step_edges as e
     where e.task_uuid = s.task_uuid
       and e.to_step_no = s.step_no
  ) as p
  cross join lateral (
    select coalesce(array_agg(tasker.step_uuid(e.task_uuid, e.to_step_no) order by e.to_step_no), '{}') as uuids
      from tasker.workflow_step_edges as e
     where e.task_uuid = s.task_uuid
       and e.from_step_no = s.step_no
  ) as c
  where s.task_uuid = p_task_uuid
  order by s.step_no;

  if not found then
    perform tasker.check_task_exists(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.get_step_dag_relationships is
$$Returns each step of a task, by step number, with its parents, its children and its position between the roots and the
leaves of the graph.

The cost is linear in the number of steps and edges. Raises TK404 if the task does not exist, and TK403 if the caller is
bound to other namespaces.$$;

grant execute on function tasker.get_step_dag_relationships
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/compat/readiness/step_readiness_status.sql
create or replace view tasker.step_readiness_status as
select
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as named_step_uuid,
  ''::text as name,
  'pending'::tasker.step_state as current_state,
  false::boolean as dependencies_satisfied,
  false::boolean as retry_eligible,
  false::boolean as ready_for_execution,
  null::timestamptz as last_failure_at,
  null::timestamptz as next_retry_at,
  0::integer as total_parents,
  0::integer as completed_parents,
  0::integer as attempts,
  0::integer as retry_limit,
  null::double precision as backoff_request_seconds,
  null::timestamptz as last_attempted_at,
  0::numeric as effective_backoff_seconds,
  null::text as blocking_reason
where false;

comment on view tasker.step_readiness_status is
  'Row type: a step with its readiness: whether the step may run now, and otherwise the reason.';
comment on column tasker.step_readiness_status.dependencies_satisfied is
  'Whether all parents have settled and the step''s join holds for their outcomes.';
comment on column tasker.step_readiness_status.retry_eligible is
  'Whether the step may run (again): it has never run, or it is retryable and has attempts left.';
comment on column tasker.step_readiness_status.next_retry_at is
  'The time until which the step waits for its next attempt. Null in all states except waiting_for_retry.';
comment on column tasker.step_readiness_status.completed_parents is
  'The number of parents that are complete or resolved manually.';
comment on column tasker.step_readiness_status.retry_limit is
  'The largest number of attempts that the step may have (max_attempts).';
comment on column tasker.step_readiness_status.effective_backoff_seconds is
  'The wait after the step''s last attempt, without jitter. It is the wait that the worker asked for, or else the wait that the retry policy gives. 0 before the first attempt.';
comment on column tasker.step_readiness_status.blocking_reason is
  'Null if the step is ready. Otherwise invalid_state, dependencies_not_satisfied, retry_not_eligible, backoff_not_expired, task_ended, task_halted, task_not_started, namespace_paused or map_has_no_handler.';
-- <<<

-- >>> db/schema/rows/operate/explain/step_explanations.sql
create or replace view tasker.step_explanations as
select
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as name,
  ''::text as handler,
  ''::text as namespace,
  'pending'::tasker.task_state as task_state,
  'pending'::tasker.step_state as current_state,
  ''::text as summary,
  null::text as blocking_reason,
  null::timestamptz as due_at,
  '{}'::jsonb as waiting_for,
  '{}'::jsonb as unsatisfied,
  '{}'::jsonb as blocked_by,
  null::uuid as worker_uuid,
  0::integer as attempts,
  0::integer as retry_limit,
  null::text as last_error,
  null::text as login,
  null::text as role
where false;

comment on view tasker.step_explanations is
  'Row type: why a step is, or is not, running.';
comment on column tasker.step_explanations.due_at is
  'The next time when the engine acts on the step by itself: at the step''s next attempt, at the start of its task, or at the end of its worker''s lease.';
comment on column tasker.step_explanations.login is
  'The role that was logged in when the step last moved. Null if the step has never moved. The column "role" has the role that this login had set, null if it had set none.';
comment on column tasker.step_explanations.waiting_for is
  'The parents that have not settled, at most a hundred, each as {step_uuid, name, state}.';
comment on column tasker.step_explanations.unsatisfied is
  'The parents that have settled without satisfying their edge, at most a hundred, each as {step_uuid, name, state, condition}.';
comment on column tasker.step_explanations.blocked_by is
  'The permanently failed steps on which the step depends, nearest first, at most a hundred, each as {step_uuid, name, distance, error}.';
-- <<<

-- >>> db/schema/functions/operate/explain/private/may_be_tried.sql
create or replace function tasker.may_be_tried(
  p_state         tasker.step_state,
  p_retryable     boolean,
  p_attempts      integer,
  p_max_attempts  integer
)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_state <> 'error'
     and (p_attempts = 0 or (p_retryable and p_attempts < p_max_attempts));
end;

comment on function tasker.may_be_tried is
$$Returns true if the engine may run a step, for the first time or again, without an operator. A step in the state
"error" has failed for good, even if it has attempts left. Only an operator can retry it.$$;
-- <<<

-- >>> db/schema/functions/operate/explain/private/blocking_reason.sql
create or replace function tasker.blocking_reason(
  p_state                   tasker.step_state,
  p_dependencies_satisfied  boolean,
  p_retry_eligible          boolean,
  p_next_retry_at           timestamptz,
  p_task_reason             text
)
  returns text
  language sql
  stable
  parallel safe
begin atomic
  select case
    when p_state = 'error' then 'retry_not_eligible'
    when p_state not in ('pending', 'waiting_for_retry') then 'invalid_state'
    when p_task_reason = 'task_ended' then p_task_reason
    when not p_dependencies_satisfied then 'dependencies_not_satisfied'
    when not p_retry_eligible then 'retry_not_eligible'
    when p_state = 'waiting_for_retry' and not coalesce(p_next_retry_at <= tasker.clock(), false)
      or p_next_retry_at > tasker.clock() then 'backoff_not_expired'
    else p_task_reason
  end;
end;

comment on function tasker.blocking_reason is
$$Returns why a step may not run now, or null if it may run. The rule of readiness is only in this function. A reason of
the step itself takes precedence over a reason of its task or namespace.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/task_halts.sql
create or replace function tasker.task_halts(p_on_failure text, p_failed_steps integer)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_on_failure = 'halt' and p_failed_steps > 0;
end;

comment on function tasker.task_halts is
$$Returns true if a task starts no more steps, because it has a failure and its template halts on failures.$$;
-- <<<

-- >>> db/schema/functions/operate/explain/private/task_blocking_reason.sql
create or replace function tasker.task_blocking_reason(
  p_complete      boolean,
  p_on_failure    text,
  p_failed_steps  integer,
  p_starts_at     timestamptz,
  p_paused_at     timestamptz
)
  returns text
  language sql
  stable
  parallel safe
begin atomic
  select case
    when p_complete then 'task_ended'
    when tasker.task_halts(p_on_failure, p_failed_steps) then 'task_halted'
    when p_starts_at > tasker.clock() then 'task_not_started'
    when p_paused_at is not null then 'namespace_paused'
  end;
end;

comment on function tasker.task_blocking_reason is
$$Returns why no step of a task may start now, or null if neither the task nor its namespace prevents a start.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/step_children.sql
create or replace function tasker.step_children(
  p_task_uuid        uuid,
  p_named_task_uuid  uuid,
  p_has_added_edges  boolean,
  p_step_no          integer
)
  returns setof tasker.named_task_edges
  language sql
  stable
  parallel safe
begin atomic
  select e.named_task_uuid, e.from_step_no, e.to_step_no, e.condition, e.outcome
    from tasker.named_task_edges as e
   where e.named_task_uuid = p_named_task_uuid
     and e.from_step_no = p_step_no
  union all
  select p_named_task_uuid, e.from_step_no, e.to_step_no, e.condition, null::text
    from tasker.added_step_edges as e
   where p_has_added_edges
     and e.task_uuid = p_task_uuid
     and e.from_step_no = p_step_no
  offset 0;
end;

comment on function tasker.step_children is
$$Returns the edges from a step to its children, both the edges of the template and added edges. A statement that already has the task's row uses this function, because tasker.workflow_step_edges would query the task again. An added edge looks like an edge of the template. The function is inlined.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/step_parents.sql
create or replace function tasker.step_parents(
  p_task_uuid        uuid,
  p_named_task_uuid  uuid,
  p_has_added_edges  boolean,
  p_step_no          integer
)
  returns setof tasker.named_task_edges
  language sql
  stable
  parallel safe
begin atomic
  select e.named_task_uuid, e.from_step_no, e.to_step_no, e.condition, e.outcome
    from tasker.named_task_edges as e
   where e.named_task_uuid = p_named_task_uuid
     and e.to_step_no = p_step_no
  union all
  select p_named_task_uuid, e.from_step_no, e.to_step_no, e.condition, null::text
    from tasker.added_step_edges as e
   where p_has_added_edges
     and e.task_uuid = p_task_uuid
     and e.to_step_no = p_step_no
  offset 0;
end;

comment on function tasker.step_parents is
$$Returns the edges from a step's parents to the step, both the edges of the template and added edges. A statement that already has the task's row uses this function, because tasker.workflow_step_edges would query the task again. An added edge looks like an edge of the template. The function is inlined.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/map_results.sql
create or replace function tasker.map_results(p_task_uuid uuid, p_step_no integer, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_instance record;
  v_bytes    bigint  := 2;
  v_results  jsonb[] := '{}';
begin
  -- Results are read one after the other, so that results beyond the budget are never read.
  for v_instance in
    select coalesce(i.results, 'null') as results
      from tasker.added_step_edges as e
     cross join lateral (
       select i.results, i.map_no
         from tasker.workflow_steps as i
        where i.task_uuid = e.task_uuid
          and i.step_no = e.from_step_no
       offset 0
     ) as i
     where e.task_uuid = p_task_uuid
       and e.to_step_no = p_step_no
       and i.map_no = p_step_no
     order by e.from_step_no
  loop
    v_bytes := v_bytes + octet_length(v_instance.results::text) + 2;
    if v_bytes > p_bytes then
      return null;
    end if;
    v_results := array_append(v_results, v_instance.results);
  end loop;
  return to_jsonb(v_results);
end;
$$;

comment on function tasker.map_results is
$$Returns the results of a map's instances as an array in the order of the elements, null for an element without a result. Returns null if the array is larger than p_bytes. The array is never stored.$$;
-- <<<

-- >>> db/schema/functions/doors/results/private/composed_result.sql
create or replace function tasker.composed_result(p_task_uuid uuid, p_step_no integer, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return tasker.map_results(p_task_uuid, p_step_no, p_bytes);
end;
$$;

comment on function tasker.composed_result is
$$Door: returns the result of a step that keeps no result itself, because its instances have the results. Returns null if the result has more than p_bytes bytes.$$;
-- <<<

-- >>> db/schema/functions/doors/results/private/admit_value.sql
create or replace function tasker.admit_value(p_step_uuid uuid, p_what text, p_value jsonb, p_error text)
  returns void
  language plpgsql
  stable
as $$
begin
  perform tasker.check_sealed_value(p_step_uuid, p_what, p_value, p_error);
end;
$$;

comment on function tasker.admit_value is
$$Door: a running step whose effects have the bit 8192 saves a value. Raises an error if the value must not be stored.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/edge_result.sql
create or replace function tasker.edge_result(
  p_condition  jsonpath,
  p_results    jsonb,
  p_expansion  jsonb,
  p_task_uuid  uuid,
  p_step_no    integer
)
  returns jsonb
  language sql
  stable
  parallel safe
begin atomic
  select case
    when p_condition is null or p_results is not null or p_expansion is null then p_results
    else tasker.composed_result(p_task_uuid, p_step_no, tasker.setting_integer('result_bytes'))
  end;
end;

comment on function tasker.edge_result is
$$Returns the value that an edge's condition tests: the results of the parent, or the array of a map. Without a condition it reads nothing. The function is inlined.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/backoff_seconds.sql
create or replace function tasker.backoff_seconds(
  p_attempts      integer,
  p_base_seconds  numeric,
  p_multiplier    numeric,
  p_max_seconds   integer
)
  returns numeric
  language sql
  immutable
  parallel safe
begin atomic
  -- Compare logarithms first, because the power itself may overflow every number type.
  select case
    when p_attempts = 0 or p_max_seconds = 0 then 0
    when p_base_seconds >= p_max_seconds
         or ln(greatest(p_base_seconds, 1e-300)::double precision)
              + p_attempts * ln(least(p_multiplier, 1e300)::double precision)
            > ln(p_max_seconds::double precision) + 0.001
      then p_max_seconds
    else least(p_base_seconds * p_multiplier ^ p_attempts, p_max_seconds)
  end;
end;

comment on function tasker.backoff_seconds is
$$Returns the seconds to wait after this number of attempts, without jitter: base × multiplier ^ attempts, but at most p_max_seconds. Returns 0 if there was no attempt.$$;
-- <<<

-- >>> db/schema/functions/features/branches/private/settled_by.sql
create or replace function tasker.settled_by(p_task_uuid uuid, p_step_no integer)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select case when l.event = 'Skip' and l.from_state = 'suspended' then 'Timeout' else l.event end
      from tasker.workflow_steps as s
     cross join lateral (
       select l.event, l.from_state
         from tasker.workflow_step_transition_log as l
        where l.task_uuid = p_task_uuid
          and l.step_no = p_step_no
          and l.row_key = s.transition_count
          and l.sort_key >= l.row_key -- the last transition of its path
       offset 0
     ) as l
     where s.task_uuid = p_task_uuid
       and s.step_no = p_step_no
       and s.state = 'cancelled'
  );
end;
$$;

comment on function tasker.settled_by is
$$Returns the event that settled a cancelled step: "Tolerate" if another step waits for its failure, "Skip" if the step was skipped before it began, "Timeout" if its wait ended by a timeout, or "Cancel". Returns null for a step in another state.$$;
-- <<<

-- >>> db/schema/functions/features/branches/private/step_failed.sql
create or replace function tasker.step_failed(p_task_uuid uuid, p_step_no integer)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_template uuid;
  v_added    boolean;
begin
  select t.named_task_uuid, t.has_added_edges
    into v_template, v_added
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid;
  return exists (
    with recursive above (step_no, event) as (
      select p_step_no, tasker.settled_by(p_task_uuid, p_step_no)
      union
      -- An edge with an outcome is not followed: a step that waits for a failure is skipped because no step failed.
      select e.from_step_no, tasker.settled_by(p_task_uuid, e.from_step_no)
        from above as a
       cross join lateral tasker.step_parents(p_task_uuid, v_template, v_added, a.step_no) as e
       where a.event = 'Skip'
         and e.outcome is null
    )
    select from above as a where a.event = 'Tolerate'
  );
end;
$$;

comment on function tasker.step_failed is
$$Returns whether a settled step failed, or was skipped because a step above it failed. The cost is linear in the skipped steps above this step.$$;
-- <<<

-- >>> db/schema/functions/features/branches/private/outcome_holds.sql
create or replace function tasker.outcome_holds(p_outcome text, p_task_uuid uuid, p_step_no integer, p_state tasker.step_state)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return case
    when p_state in ('complete', 'resolved_manually') then p_outcome = 'ended'
    when p_state = 'cancelled' then tasker.step_failed(p_task_uuid, p_step_no)
    else false
  end;
end;
$$;

comment on function tasker.outcome_holds is
$$Returns whether a parent in this state satisfies an edge that waits for this outcome. A failure satisfies "failed" and "ended"; a success satisfies only "ended". A skipped or cancelled step satisfies neither, unless a failure above this step was the reason.$$;
-- <<<

-- >>> db/schema/functions/doors/moves/private/outcome_met.sql
create or replace function tasker.outcome_met(p_outcome text, p_task_uuid uuid, p_step_no integer, p_state tasker.step_state)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return tasker.outcome_holds(p_outcome, p_task_uuid, p_step_no, p_state);
end;
$$;

comment on function tasker.outcome_met is
$$Door: returns whether an edge that waits for an outcome of the parent other than success is satisfied.$$;
-- <<<

-- >>> db/schema/functions/operate/explain/private/step_readiness.sql
create or replace function tasker.step_readiness()
  returns setof tasker.step_readiness_status
  language sql
  stable
  parallel safe
begin atomic
  select
    s.workflow_step_uuid,
    s.task_uuid,
    s.named_step_uuid,
    s.name,
    s.state as current_state,
    tasker.join_holds(s.join_mode, p.total, p.total - p.settled, p.satisfied) as dependencies_satisfied,
    tasker.may_be_tried(s.state, s.retryable, s.attempts, s.max_attempts) as retry_eligible,
    tasker.blocking_reason(
      s.state,
      tasker.join_holds(s.join_mode, p.total, p.total - p.settled, p.satisfied),
      tasker.may_be_tried(s.state, s.retryable, s.attempts, s.max_attempts),
      s.next_retry_at,
      coalesce(
        tasker.task_blocking_reason(t.complete, k.on_failure, t.failed_steps, m.due_at, n.paused_at),
        case when s.for_each is not null then 'map_has_no_handler' end
      )
    ) is null as ready_for_execution,
    s.last_failure_at,
    s.next_retry_at,
    p.total as total_parents,
    p.completed as completed_parents,
    s.attempts,
    s.max_attempts as retry_limit,
    s.backoff_request_seconds,
    s.last_attempted_at,
    case
      when s.backoff_request_seconds is not null then s.backoff_request_seconds::numeric
      when s.attempts = 0 then 0
      -- Read the settings once for all steps.
      else tasker.backoff_seconds(
        s.attempts,
        coalesce(s.backoff_base_seconds, (select tasker.setting_numeric('backoff_base'))),
        coalesce(s.backoff_multiplier, (select tasker.setting_numeric('backoff_multiplier'))),
        coalesce(s.max_backoff_seconds, (select tasker.setting_integer('max_backoff_seconds')))
      )
    end as effective_backoff_seconds,
    tasker.blocking_reason(
      s.state,
      tasker.join_holds(s.join_mode, p.total, p.total - p.settled, p.satisfied),
      tasker.may_be_tried(s.state, s.retryable, s.attempts, s.max_attempts),
      s.next_retry_at,
      coalesce(
        tasker.task_blocking_reason(t.complete, k.on_failure, t.failed_steps, m.due_at, n.paused_at),
        case when s.for_each is not null then 'map_has_no_handler' end
      )
    ) as blocking_reason
  from tasker.tasks as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  left join tasker.timers as m
    on m.task_uuid = t.task_uuid
   and m.step_no = 0
   and m.kind = 'start_task'
  join tasker.workflow_steps as s
    on s.task_uuid = t.task_uuid
  cross join lateral (
    -- Count all parents, even if only some steps are requested. Count the states of the parents, and do not use the
    -- engine's counters.
    select
      count(*)::integer as total,
      count(*) filter (where o.state in ('complete', 'resolved_manually'))::integer as completed,
      count(*) filter (where o.state in ('complete', 'resolved_manually', 'cancelled'))::integer as settled,
      count(*) filter (
        where case when e.outcome is not null then tasker.outcome_met(e.outcome, o.task_uuid, o.step_no, o.state)
          else o.state in ('complete', 'resolved_manually')
            and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, o.results, o.expansion, o.task_uuid, o.step_no))
        end
      )::integer as satisfied
    from tasker.step_parents(s.task_uuid, t.named_task_uuid, t.has_added_edges, s.step_no) as e
    cross join lateral (
      select o.task_uuid, o.step_no, o.state, o.results, o.expansion
        from tasker.workflow_steps as o
       where o.task_uuid = s.task_uuid
         and o.step_no = e.from_step_no
      offset 0
    ) as o
  ) as p;
end;

comment on function tasker.step_readiness is
$$Returns the readiness of all steps. Inlined into the statements of its only callers, the readiness functions, which
select the tasks.$$;
-- <<<

-- >>> db/schema/functions/compat/readiness/get_step_readiness_status.sql
create or replace function tasker.get_step_readiness_status(p_task_uuid uuid, p_step_uuids uuid[] default null)
  returns setof tasker.step_readiness_status
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_array_size('steps', cardinality(p_step_uuids), 100000);
  perform tasker.check_bound(p_task_uuid);
  if p_step_uuids is null then
    return query
    select r.*
      from tasker.step_readiness() as r
     where r.task_uuid = p_task_uuid
     order by r.workflow_step_uuid;
  else
    return query
    select r.*
      from tasker.step_readiness() as r
     where r.task_uuid = p_task_uuid
       and r.workflow_step_uuid = any (p_step_uuids)
     order by r.workflow_step_uuid;
  end if;

  if not found then
    perform tasker.check_task_exists(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.get_step_readiness_status is
$$Returns the readiness of all steps of a task, or of the steps in p_step_uuids, in the order of step numbers: whether the step may run now, and the obstacles if not.

The readiness follows from the step's parents, attempts and times, and does not depend on p_step_uuids. Skips UUIDs that are not steps of the task. Raises TK404 if the task does not exist, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_step_readiness_status
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/readiness/get_step_readiness_status_batch.sql
create or replace function tasker.get_step_readiness_status_batch(p_task_uuids uuid[])
  returns setof tasker.step_readiness_status
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_array_size('tasks', cardinality(p_task_uuids), 10000);
  perform tasker.check_bound_steps(p_task_uuids);
  return query
  select r.*
    from (select distinct u.task_uuid from unnest(p_task_uuids) as u (task_uuid)) as u
    join tasker.step_readiness() as r
      on r.task_uuid = u.task_uuid
   order by r.workflow_step_uuid;
end;
$$;

comment on function tasker.get_step_readiness_status_batch is
$$Returns the rows of get_step_readiness_status for all steps of several tasks, in the order of tasks, then of step numbers.

Returns the rows of a task only once, even if p_task_uuids has the task twice. Returns no rows for a task that does not exist. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_step_readiness_status_batch
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/readiness/get_ready_steps.sql
create or replace function tasker.get_ready_steps(p_task_uuid uuid)
  returns setof tasker.step_readiness_status
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_bound(p_task_uuid);
  return query
  select r.*
    from tasker.step_readiness() as r
   where r.task_uuid = p_task_uuid
     and r.ready_for_execution
   order by r.workflow_step_uuid;

  if not found then
    perform tasker.check_task_exists(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.get_ready_steps is
$$Returns all steps of a task that may run now, in the order of step numbers.

Raises TK404 if the task does not exist, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_ready_steps
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/readiness/check_step_dependencies.sql
create or replace function tasker.check_step_dependencies(p_step_uuid uuid)
  returns boolean
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_satisfied boolean;
begin
  perform tasker.check_bound(p_step_uuid);
  select r.dependencies_satisfied
    into v_satisfied
    from tasker.step_readiness() as r
   where r.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and r.workflow_step_uuid = p_step_uuid;

  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_satisfied;
end;
$$;

comment on function tasker.check_step_dependencies is
$$Returns true if all parents of a step have settled and its join is satisfied. Reads the states of the parents.

The function tasker.step_dependencies_met computes the same from the engine's counters. Raises TK404 if the step does not exist, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.check_step_dependencies
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/readiness/evaluate_step_state_readiness.sql
create or replace function tasker.evaluate_step_state_readiness(
  p_current_state           text,
  p_processed               boolean,
  p_in_process              boolean,
  p_dependencies_satisfied  boolean,
  p_retry_eligible          boolean,
  p_retryable               boolean,
  p_next_retry_time         timestamptz
)
  returns boolean
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_state tasker.step_state := tasker.parse_step_state(p_current_state);
begin
  -- A null argument must not make a step ready. A pending step is ready even if it may not be retried.
  return tasker.blocking_reason(
      v_state, coalesce(p_dependencies_satisfied, false), coalesce(p_retry_eligible, false), p_next_retry_time, null
    ) is null
    and not coalesce(p_processed, true)
    and not coalesce(p_in_process, true)
    and (v_state = 'pending' or coalesce(p_retryable, false));
end;
$$;

comment on function tasker.evaluate_step_state_readiness is
$$Returns true if a step with these properties may run now. The step must be pending, or its wait for a retry must be over. Its dependencies must be satisfied, and it must have attempts left.

The readiness functions use the same rule. If an argument is null, the step is not ready, except that a pending step needs no p_next_retry_time and no p_retryable. Raises TK422 if there is no such state.$$;

grant execute on function tasker.evaluate_step_state_readiness
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/readiness/calculate_step_next_retry_time.sql
create or replace function tasker.calculate_step_next_retry_time(
  p_backoff_request_seconds  double precision,
  p_last_attempted_at        timestamptz,
  p_failure_time             timestamptz,
  p_attempts                 integer,
  p_max_backoff_seconds      integer  default null,
  p_backoff_multiplier       numeric  default null
)
  returns timestamptz
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_instant('time of the last attempt', nullif(p_last_attempted_at, 'infinity'));
  perform tasker.check_instant('time of the failure', nullif(p_failure_time, 'infinity'));
  if p_backoff_request_seconds not between 0 and 2147483647 then
    raise exception using
      errcode = 'TK422',
      message = format('a backoff of %s seconds is out of range', p_backoff_request_seconds),
      hint    = 'It must be from 0 to 2147483647; null means the policy.';
  end if;

  -- If one of the two times is null, use the other time. A null result could mean that the step may be retried at once.
  if p_backoff_request_seconds is not null then
    return coalesce(p_last_attempted_at, p_failure_time) + make_interval(secs => p_backoff_request_seconds);
  end if;
  return coalesce(p_failure_time, p_last_attempted_at) + make_interval(
    secs => tasker.calculate_backoff_delay(
      coalesce(p_attempts, 0), null, p_backoff_multiplier, p_max_backoff_seconds
    )::double precision
  );
end;
$$;

comment on function tasker.calculate_step_next_retry_time is
$$Returns the time when a step may be retried. If its worker asked for a backoff, this is p_backoff_request_seconds after the last attempt. Otherwise it is calculate_backoff_delay after the failure. If one of the two times is null, counts from the other time. Returns null if both are null.

If p_max_backoff_seconds or p_backoff_multiplier is null, the setting max_backoff_seconds or backoff_multiplier applies. The result has no jitter, and never overflows for any number of attempts. Raises TK422 for arguments out of range.$$;

grant execute on function tasker.calculate_step_next_retry_time
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/readiness/set_step_backoff_atomic.sql
create or replace function tasker.set_step_backoff_atomic(p_step_uuid uuid, p_backoff_seconds double precision)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_step tasker.workflow_steps;
begin
  perform tasker.check_bound(p_step_uuid);
  if p_backoff_seconds is null or p_backoff_seconds not between 0 and 31536000 then
    raise exception using
      errcode = 'TK422',
      message = format('a backoff of %s seconds is out of range', coalesce(p_backoff_seconds::text, 'null')),
      hint    = 'It must be from 0 to 31536000, a year.';
  end if;

  -- Lock the task before the step, as all functions do.
  perform
     from tasker.tasks as t
    where t.task_uuid = tasker.task_uuid_of(p_step_uuid)
      for no key update;
  update tasker.workflow_steps as s
     set backoff_request_seconds = p_backoff_seconds,
         last_attempted_at       = tasker.clock(),
         next_retry_at           = case
           when s.state = 'waiting_for_retry' then tasker.clock() + make_interval(secs => p_backoff_seconds)
         end
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     and s.state in ('waiting_for_retry', 'enqueued_as_error_for_orchestration')
  returning s.* into v_step;

  if v_step.task_uuid is null then
    perform tasker.check_step_exists(p_step_uuid);
    return false;
  end if;
  if v_step.state = 'waiting_for_retry' then
    update tasker.timers as m
       set due_at = v_step.next_retry_at
     where m.task_uuid = v_step.task_uuid
       and m.step_no = v_step.step_no
       and m.kind = 'retry_step';
  end if;
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.set_step_backoff_atomic is
$$Makes a failed step wait p_backoff_seconds from now for its next attempt. Returns false and changes nothing if the step does not wait for a retry and has no recorded failure that an orchestrator still has to process.

Sets the columns of the step and the due time of its timer together. The wait has no jitter, and the setting max_backoff_seconds does not limit it. Locks the task, then the step. Raises TK404 if the step does not exist, TK422 if the wait is out of range, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.set_step_backoff_atomic
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/explain/private/explain_blocking.sql
create or replace function tasker.explain_blocking(
  p_step       tasker.step_explanations,
  p_paused_by  text,
  p_waiting    bigint,
  p_refused    bigint,
  p_failed     bigint
)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_until text := to_char((p_step).due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"');
begin
  return case
    when (p_step).current_state in ('complete', 'resolved_manually') then 'It is done.'
    when (p_step).current_state = 'cancelled' then
      'It was cancelled, or skipped because its dependencies settled without satisfying its join.'
    when (p_step).current_state = 'error' then
      format('It failed for good after %s of %s attempts: %s. An operator may retry or resolve it.',
        (p_step).attempts, (p_step).retry_limit, coalesce(rtrim(left((p_step).last_error, 200), '.'), 'no error was recorded'))
    when (p_step).current_state = 'in_progress' then
      format('Worker %s has it; its lease ends at %s.', coalesce((p_step).worker_uuid::text, 'unknown'), v_until)
    when (p_step).current_state in ('enqueued_for_orchestration', 'enqueued_as_error_for_orchestration') then
      'Its result is recorded and waits for an orchestrator to process it.'
    when (p_step).current_state = 'enqueued' and p_paused_by is not null then
      format('It is in the queue, but %s has paused namespace "%s".', p_paused_by, (p_step).namespace)
    when (p_step).current_state = 'enqueued' then
      format('It is in the queue of namespace "%s" and waits for a worker that has handler "%s".',
        (p_step).namespace, (p_step).handler)
    when (p_step).blocking_reason is null then
      'It is ready; the next evaluation of its task enqueues it.'
    when (p_step).blocking_reason = 'task_ended' then
      format('Its task has ended: it is %s.', (p_step).task_state)
    when (p_step).blocking_reason = 'dependencies_not_satisfied' and p_waiting = 0 then
      format('Its parents have settled, but %s of them did not satisfy its join; it will be skipped.', p_refused)
    when (p_step).blocking_reason = 'dependencies_not_satisfied' and p_failed > 0 then
      format('It waits for %s of its parents, blocked by the failure of "%s"%s.', p_waiting,
        (p_step).blocked_by -> 0 ->> 'name', case when p_failed > 1 then format(' and %s more', p_failed - 1) else '' end)
    when (p_step).blocking_reason = 'dependencies_not_satisfied' then
      format('It waits for %s of its parents, among them "%s".', p_waiting, (p_step).waiting_for -> 0 ->> 'name')
    when (p_step).blocking_reason = 'retry_not_eligible' then
      format('It has used %s of %s attempts and may not be retried.', (p_step).attempts, (p_step).retry_limit)
    when (p_step).blocking_reason = 'backoff_not_expired' then
      format('Attempt %s of %s failed; the next one is due at %s.', (p_step).attempts, (p_step).retry_limit, v_until)
    when (p_step).blocking_reason = 'task_halted' then
      'Its task starts no more steps, because one of them failed and its template says on_failure: halt.'
    when (p_step).blocking_reason = 'task_not_started' and v_until is null then
      'Its task waits for a place of its key: tasker.list_runs() shows the line.'
    when (p_step).blocking_reason = 'task_not_started' then
      format('Its task starts at %s.', v_until)
    when (p_step).blocking_reason = 'map_has_no_handler' then
      'It is a map: the next claim or orchestrator starts its instances, or ends it.'
    when (p_step).blocking_reason = 'namespace_paused' then
      format('%s has paused namespace "%s".', p_paused_by, (p_step).namespace)
  end;
end;
$$;

comment on function tasker.explain_blocking is
$$Summarises an explanation in one or two sentences.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/explain_wait.sql
create or replace function tasker.explain_wait(p_task_uuid uuid, p_step_no integer, p_await jsonb, p_due_at timestamptz)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_names text[];
  v_calls text[];
  v_until text := to_char(p_due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"');
begin
  if p_await is null then
    return 'It is suspended: its handler goes on when it is resumed.';
  elsif p_await #>> '{diverged,position}' = '0' then
    return format(
      'Its code has changed: the result of "%s" does not fit the type that its handler asks for. It is tried again at %s; run a worker whose code fits the result.',
      p_await #>> '{diverged,asked}', v_until
    );
  elsif p_await #>> '{diverged,asked}' = p_await #>> '{diverged,expected}' then
    return format(
      'Its function has changed: the value that its call %s, "%s", has kept does not fit the type that it asks for. It is tried again at %s; run a worker whose code fits what is kept.',
      p_await #>> '{diverged,position}', p_await #>> '{diverged,expected}', v_until
    );
  elsif p_await ? 'diverged' then
    return format(
      'Its function has changed: as its call %s it asks for "%s", but "%s" is kept there. It is tried again at %s; run a worker whose code fits what is kept, or let the new code in with worker.Changed.',
      p_await #>> '{diverged,position}', p_await #>> '{diverged,asked}', p_await #>> '{diverged,expected}', v_until
    );
  end if;
  if p_await ? 'snoozed' then
    return format('Its handler has asked to run again at %s%s.', v_until, coalesce(': ' || nullif(p_await ->> 'snoozed', ''), ''));
  end if;
  -- For each kind (signal or event), name the call only once, for the first alternative of the kind.
  select
    array_agg(
      case
        when w.signal is not null then format('%s"%s"', case when w.signals_before then '' else 'signal ' end, w.signal)
        else format('event "%s"', w.event) || case when w.event_key <> '' then format(' with key "%s"', w.event_key) else '' end
      end
      order by w.wait_no
    ),
    array_agg(
      case
        when w.signal is not null then format('select * from tasker.send_signal(%L, %L, payload)', p_task_uuid, w.signal)
        else format('select * from tasker.emit_event(%L, %L, %L, payload)', w.namespace, w.event, w.event_key)
      end
      order by w.wait_no
    ) filter (where w.place = 1)
    into v_names, v_calls
    from (
      select w.*, row_number() over (partition by w.signal is null order by w.wait_no) as place,
             lag(w.signal) over (order by w.wait_no) is not null as signals_before
        from tasker.waits as w
       where w.task_uuid = p_task_uuid
         and w.step_no = p_step_no
       order by w.wait_no
       limit 10
    ) as w;
  if v_names is null then
    return format('It waits until %s.', v_until);
  end if;

  return format(
    'It waits for %s%s: %s.%s',
    array_to_string(v_names, ' or '), coalesce(' from ' || (p_await ->> 'assignee'), ''), array_to_string(v_calls, ', or '),
    case
      when v_until is null then ''
      when p_await ? 'timeout' and p_await ? 'on_timeout' then format(
        ' At %s it %s, unless the %s comes before.', v_until,
        case p_await ->> 'on_timeout' when 'skip' then 'is skipped' when 'complete' then 'is complete without it' else 'fails' end,
        case when v_names[1] like 'signal%' then 'signal' else 'event' end
      )
      else format(' At %s it goes on without one.', v_until)
    end
  );
end;
$$;

comment on function tasker.explain_wait is
$$Explains the wait of a suspended step: who has to act, by which call, and how the wait ends otherwise.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/explain_child.sql
create or replace function tasker.explain_child(p_await jsonb, p_child_uuid uuid, p_due_at timestamptz)
  returns text
  language plpgsql
  stable
as $$
declare
  v_name    text := p_await #>> '{task,name}';
  v_state   text;
  v_blocked record;
  v_until   text := format(
    ' At %s it %s, unless the task ends before.', to_char(p_due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'),
    case p_await ->> 'on_timeout' when 'skip' then 'is skipped' when 'complete' then 'is complete without it' else 'fails' end
  );
begin
  if p_due_at is null then
    v_until := '';
  end if;
  select t.state into v_state from tasker.tasks as t where t.task_uuid = p_child_uuid;
  if v_state is null then
    return format('It is about to start task "%s": the next claim or orchestrator does.%s', v_name, v_until);
  elsif not tasker.may_see_task(p_child_uuid) then
    return format('It waits for a task "%s" of a namespace that you are not bound to.%s', v_name, v_until);
  end if;

  -- Follow the chain of waiting tasks down to the failed step that this step finally waits for.
  with recursive family (task_uuid) as (
    select p_child_uuid
    union all
    select s.child_task_uuid
      from family as f
     cross join lateral (
       select s.child_task_uuid
         from tasker.workflow_steps as s
        where s.task_uuid = f.task_uuid
          and s.state = 'suspended'
          and s.child_task_uuid is not null
       offset 0
     ) as s
  )
  select s.*, t.state as task_state
    into v_blocked
    from (select f.task_uuid from family as f limit 1000) as f
   cross join lateral (
     select t.state
       from tasker.tasks as t
      where t.task_uuid = f.task_uuid
     offset 0
   ) as t
   cross join lateral (
     select s.workflow_step_uuid, s.task_uuid, s.name, s.last_error
       from tasker.workflow_steps as s
      where s.task_uuid = f.task_uuid
        and s.state = 'error'
      order by s.step_no
      limit 1
   ) as s
   limit 1;
  if not found then
    return format('It waits for task %s ("%s"), which is %s.%s', p_child_uuid, v_name, v_state, v_until);
  elsif not tasker.may_see_task(v_blocked.task_uuid) then
    return format('It waits for task %s ("%s"), which a task of another namespace holds up.%s', p_child_uuid, v_name, v_until);
  end if;
  return format(
    'It waits for task %s ("%s"), which is %s%s, because its step "%s" failed: %s. select %s.%s',
    p_child_uuid, v_name, v_state,
    case when v_blocked.task_uuid <> p_child_uuid then format(', and below it for task %s, which is %s', v_blocked.task_uuid, v_blocked.task_state) end,
    v_blocked.name, coalesce(rtrim(left(v_blocked.last_error, 200), '.'), 'no error was recorded'),
    case when v_blocked.task_state = 'error'
      then format('tasker.reset_task(%L)', v_blocked.task_uuid) else format('tasker.retry_step(%L)', v_blocked.workflow_step_uuid)
    end,
    v_until
  );
end;
$$;

comment on function tasker.explain_child is
$$Explains the wait of a step that started a task. Names the task and its state. If a failed step keeps the task from ending, at any level below, names this step and the call that continues the task.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/key_limit.sql
create or replace function tasker.key_limit(p_limit_no integer, p_limit_key text)
  returns setof tasker.limits
  language sql
  stable
begin atomic
  select
    l.limit_no, l.namespace, l.name,
    case when b.limit_no is not null then b.concurrency when l.concurrency = 0 then 0 else coalesce(i.concurrency, l.concurrency) end,
    case when b.limit_no is null then l.rate else b.rate end,
    coalesce(b.per_seconds, l.per_seconds), coalesce(b.burst, l.burst),
    l.version, l.created_at, l.created_by, l.updated_at, l.updated_by, l.with_places, l.with_inputs
  from tasker.limits as l
  left join lateral (
    select b.limit_no, b.concurrency, b.rate, b.per_seconds, b.burst
      from tasker.limit_bounds as b
     where b.limit_no = p_limit_no
       and b.limit_key = p_limit_key
    offset 0
  ) as b on true
  left join lateral (
    select i.concurrency
      from tasker.limit_input_bounds as i
     where l.with_inputs
       and i.limit_no = p_limit_no
       and i.limit_key = p_limit_key
     order by i.bound_no desc
     limit 1
  ) as i on true
  where l.limit_no = p_limit_no
  offset 0;
end;

comment on function tasker.key_limit is
$$Returns a limit with the bounds that apply to a key: the key's own bounds, or else the bounds of the limit with the bound that the contexts of tasks give the key. A limit of 0 stops all keys without bounds of their own. The planner inlines the function.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/next_limit_start.sql
create or replace function tasker.next_limit_start(p_limit_no integer, p_limit_key text)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_at timestamptz;
begin
  select least(k.paid_until, tasker.clock() + l.burst * i.period) - (l.burst - 1) * i.period
    into v_at
    from tasker.key_limit(p_limit_no, p_limit_key) as l
    join tasker.limit_keys as k
      on k.limit_no = p_limit_no
     and k.limit_key = p_limit_key
   cross join lateral (select make_interval(secs => ceil(l.per_seconds * 1000000.0 / l.rate) / 1000000.0) as period) as i
   where l.rate is not null
     and k.paid_until is not null;
  return case when v_at > tasker.clock() then v_at end;
end;
$$;

comment on function tasker.next_limit_start is
$$Returns the time when the rate of a limit allows a key's next start. Returns null if the next start is allowed now, or if the limit has no rate.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/explain_limit.sql
create or replace function tasker.explain_limit(p_task_uuid uuid, p_step_no integer)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_row    tasker.step_queue;
  v_limit  tasker.limits;
  v_in_use bigint;
  v_units  bigint;
  v_before bigint;
  v_at     timestamptz;
begin
  select q.*
    into v_row
    from tasker.step_queue as q
   where q.task_uuid = p_task_uuid
     and q.step_no = p_step_no
     and q.lane = 'limited';
  if not found then
    return null;
  end if;
  select l.* into v_limit from tasker.key_limit(v_row.limit_no, v_row.limit_key) as l;
  select count(*) + (
      select coalesce(sum(h.held_units), 0)
        from tasker.limit_places as h
       where h.limit_no = v_row.limit_no
         and h.limit_key = v_row.limit_key
         and h.held_units > 0
    )
    into v_in_use
    from tasker.step_queue as q
   where q.limit_no = v_row.limit_no
     and q.limit_key = v_row.limit_key
     and q.lane = 'running';
  select count(*)
    into v_before
    from (
      select
        from tasker.step_queue as q
       where q.limit_no = v_row.limit_no
         and q.limit_key = v_row.limit_key
         and q.lane = 'limited'
         and (q.visible_at, q.task_uuid, q.step_no) < (v_row.visible_at, v_row.task_uuid, v_row.step_no)
       limit 100000
    ) as q;
  select h.units
    into v_units
    from tasker.limit_places as h
   where h.task_uuid = p_task_uuid
     and h.step_no = p_step_no
     and h.limit_no = v_row.limit_no;
  v_at := tasker.next_limit_start(v_row.limit_no, v_row.limit_key);

  return case
    when v_limit.concurrency - v_in_use < least(coalesce(v_units, 1), greatest(v_limit.concurrency, 1)) or v_at is not null then
      format('It waits for limit "%s"%s: ', v_limit.name, case when v_row.limit_key <> '' then format(', key "%s"', v_row.limit_key) else '' end)
      || concat_ws(', ',
        case when v_limit.concurrency is not null then format('%s of %s in use', v_in_use, v_limit.concurrency) end,
        case when v_units > 1 then format('it needs %s', v_units) end,
        case when v_at is not null then
          format('the next start is at %s', to_char(v_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS"Z"'))
        end,
        format('%s before it', v_before)
      ) || '.'
  end;
end;
$$;

comment on function tasker.explain_limit is
$$Explains in a sentence which limit an enqueued step waits for: how many places are in use, when the rate allows the next start, and how many steps come before this step. Returns null if the step waits for no limit, or the limit has room.$$;
-- <<<

-- >>> db/schema/functions/operate/explain/private/explain_pause.sql
create or replace function tasker.explain_pause(p_step tasker.step_explanations)
  returns text
  language sql
  stable
begin atomic
  select format(
      'It is in the queue, but %s has paused handler "%s" of namespace "%s"%s%s.', p.paused_by, p.handler, p.namespace,
      case when p.until is not null then format(', until %s', to_char(p.until at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')) end,
      ': ' || rtrim(left(p.reason, 200), '.')
    )
    from tasker.handler_pauses as p
   where p.namespace = (p_step).namespace
     and p.handler = (p_step).handler;
end;

comment on function tasker.explain_pause is
$$Returns a sentence that says that an operator has paused the step's handler, or null if the handler is not paused.$$;
-- <<<

-- >>> db/schema/functions/features/maps/private/explain_map.sql
create or replace function tasker.explain_map(p_step tasker.step_explanations, p_expansion jsonb, p_waiting bigint, p_failed bigint)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return format(
    'It runs for each of %s elements: %s have an instance, and %s of its parents have not settled%s.%s',
    p_expansion ->> 'elements', p_expansion ->> 'expanded', p_waiting,
    coalesce(format(', among them "%s"', (p_step).waiting_for -> 0 ->> 'name'), ''),
    case when p_failed > 0 then format(
      ' It ends when an operator has retried or resolved "%s"%s.', (p_step).blocked_by -> 0 ->> 'name',
      case when p_failed > 1 then format(' and %s more', p_failed - 1) else '' end
    ) else '' end
  );
end;
$$;

comment on function tasker.explain_map is
$$Explains the progress of a map, and names the failure that keeps it from ending.$$;
-- <<<

-- >>> db/schema/functions/operate/explain/private/explained_step.sql
create or replace function tasker.explained_step(p_step_uuid uuid)
  returns tasker.step_explanations
  language plpgsql
  stable
as $$
declare
  v_task uuid := tasker.task_uuid_of(p_step_uuid);
  v_step tasker.step_explanations;
begin
  select r.workflow_step_uuid, r.task_uuid, r.name, h.name, n.name, t.state, r.current_state, '', r.blocking_reason,
         coalesce(
           r.next_retry_at, s.lease_until,
           case when r.current_state = 'suspended' then (
             select m.due_at
               from tasker.timers as m
              where m.task_uuid = r.task_uuid
                and m.step_no = s.step_no
                and m.kind = 'end_wait'
           ) end,
           case when r.blocking_reason = 'task_not_started' then (
             -- A task that waits in the line of its key has no time at which it starts.
             select nullif(m.due_at, '2200-01-01 00:00:00Z')
               from tasker.timers as m
              where m.task_uuid = r.task_uuid
                and m.step_no = 0
                and m.kind = 'start_task'
           ) end
         ),
         '[]', '[]', '[]', s.worker_uuid, r.attempts, r.retry_limit, s.last_error, c.caller[1], c.caller[2]
    into v_step
    from tasker.step_readiness() as r
    join tasker.workflow_steps as s
      on s.task_uuid = r.task_uuid
     and s.step_no = tasker.step_no_of(p_step_uuid)
   cross join lateral (
     select case when s.transition_count > 0 then tasker.step_caller(s.task_uuid, s.step_no, s.transition_count) end as caller
   ) as c
   cross join lateral (
     select h.name
       from tasker.named_steps as h
      where h.named_step_uuid = r.named_step_uuid
     offset 0
   ) as h
    join tasker.tasks as t
      on t.task_uuid = r.task_uuid
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   where r.task_uuid = v_task
     and r.workflow_step_uuid = p_step_uuid;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_step;
end;
$$;

comment on function tasker.explained_step is
$$Returns the part of tasker.explain_step about a step itself, without its parents and without a sentence. Raises TK404 if the step does not exist.$$;
-- <<<

-- >>> db/schema/functions/operate/explain/private/describe_parents.sql
create or replace function tasker.describe_parents(p_task_uuid uuid, p_step_no integer)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return (
    select jsonb_build_object(
        'waiting', count(*) filter (where not p.settled),
        'refused', count(*) filter (where p.settled and not p.satisfied),
        'waiting_for', coalesce(jsonb_agg(p.report - 'condition' order by p.step_no) filter (where not p.settled and p.place <= 100), '[]'),
        'unsatisfied', coalesce(jsonb_agg(p.report order by p.step_no) filter (where p.settled and not p.satisfied and p.place <= 100), '[]')
      )
      from (
        select x.*, row_number() over (partition by x.settled, x.satisfied order by x.step_no) as place
          from (
            select
              o.step_no,
              o.state in ('complete', 'resolved_manually', 'cancelled') as settled,
              case when e.outcome is not null then tasker.outcome_met(e.outcome, o.task_uuid, o.step_no, o.state)
                else o.state in ('complete', 'resolved_manually')
                  and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, o.results, o.expansion, o.task_uuid, o.step_no))
              end as satisfied,
              jsonb_build_object(
                'step_uuid', o.workflow_step_uuid, 'name', o.name, 'state', o.state, 'condition', e.condition::text
              ) || jsonb_strip_nulls(jsonb_build_object('on', e.outcome, 'problem', tasker.regex_error(e.condition::text))) as report
            from tasker.workflow_step_edges as e
            cross join lateral (
              select o.*
                from tasker.workflow_steps as o
               where o.task_uuid = e.task_uuid
                 and o.step_no = e.from_step_no
              offset 0
            ) as o
            where e.task_uuid = p_task_uuid
              and e.to_step_no = p_step_no
          ) as x
      ) as p
  );
end;
$$;

comment on function tasker.describe_parents is
$$Returns for how many parents a step waits, how many of its parents have settled without satisfying the step, and the
first hundred parents of each kind.$$;
-- <<<

-- >>> db/schema/functions/operate/explain/private/describe_failures_above.sql
create or replace function tasker.describe_failures_above(p_step_uuid uuid)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return (
    select jsonb_build_object(
        'count', count(*),
        'steps', coalesce(jsonb_agg(
          jsonb_build_object(
            'step_uuid', f.workflow_step_uuid, 'name', f.name, 'distance', f.distance, 'error', left(f.last_error, 1000)
          ) order by f.place
        ) filter (where f.place <= 100), '[]')
      )
      from (
        select o.workflow_step_uuid, o.name, o.last_error, a.distance,
               row_number() over (order by a.distance, o.step_no) as place
          from unnest(tasker.step_ancestors(p_step_uuid)) with ordinality as a (distance, step_no)
         cross join lateral (
           select o.*
             from tasker.workflow_steps as o
            where o.task_uuid = tasker.task_uuid_of(p_step_uuid)
              and o.step_no = a.step_no
           offset 0
         ) as o
         where a.distance > 0
           and o.state = 'error'
      ) as f
  );
end;
$$;

comment on function tasker.describe_failures_above is
$$Returns how many steps above a step have failed for good, and the nearest hundred of these steps.$$;
-- <<<

-- >>> db/schema/functions/operate/explain/private/explain_state.sql
create or replace function tasker.explain_state(
  p_step     tasker.step_explanations,
  p_step_no  integer,
  p_waiting  bigint,
  p_refused  bigint,
  p_failed   bigint
)
  returns text
  language plpgsql
  stable
as $$
declare
  v_paused    text;
  v_await     jsonb;
  v_child     uuid;
  v_expansion jsonb;
begin
  if p_step.current_state in ('suspended', 'pending') then
    select tasker.step_wait(s.await, s.wait, s.claim_no), s.child_task_uuid, s.expansion
      into v_await, v_child, v_expansion
      from tasker.workflow_steps as s
     where s.task_uuid = p_step.task_uuid
       and s.step_no = p_step_no;
  end if;
  if p_step.current_state = 'suspended' and v_await ? 'task' then
    return tasker.explain_child(v_await, v_child, p_step.due_at);
  elsif p_step.current_state = 'suspended' and v_await ? 'tasks' then
    return tasker.explain_runs(v_await);
  elsif p_step.current_state = 'suspended' then
    return tasker.explain_wait(p_step.task_uuid, p_step_no, v_await, p_step.due_at);
  elsif v_expansion is not null and p_waiting > 0 then
    return tasker.explain_map(p_step, v_expansion, p_waiting, p_failed);
  end if;

  select n.paused_by
    into v_paused
    from tasker.task_namespaces as n
   where n.name = p_step.namespace
     and n.paused_at is not null;
  return coalesce(
    case when p_step.current_state = 'enqueued' and v_paused is null then
      coalesce(tasker.explain_pause(p_step), tasker.explain_limit(p_step.task_uuid, p_step_no))
    end,
    tasker.explain_blocking(p_step, v_paused, p_waiting, p_refused, p_failed)
  );
end;
$$;

comment on function tasker.explain_state is
$$Returns a sentence that says why a step is in its state. p_waiting is the number of parents that have not settled,
p_refused the number of parents that do not satisfy the step, and p_failed the number of failures above the step.$$;
-- <<<

-- >>> db/schema/functions/operate/explain/explain_step.sql
create or replace function tasker.explain_step(p_step_uuid uuid)
  returns setof tasker.step_explanations
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_task    uuid    := tasker.task_uuid_of(p_step_uuid);
  v_step_no integer := tasker.step_no_of(p_step_uuid);
  v_step    tasker.step_explanations;
  v_parents jsonb;
  v_failed  jsonb;
begin
  perform tasker.check_bound(p_step_uuid);
  v_step := tasker.explained_step(p_step_uuid);
  v_parents := tasker.describe_parents(v_task, v_step_no);
  v_step.waiting_for := v_parents -> 'waiting_for';
  v_step.unsatisfied := v_parents -> 'unsatisfied';
  v_failed := tasker.describe_failures_above(p_step_uuid);
  v_step.blocked_by := v_failed -> 'steps';
  v_step.summary := tasker.explain_state(
      v_step, v_step_no, (v_parents ->> 'waiting')::bigint, (v_parents ->> 'refused')::bigint, (v_failed ->> 'count')::bigint
    )
    || coalesce(tasker.explain_sql(v_step.namespace, v_step.handler, v_task, v_step_no, v_step.current_state), '')
    || coalesce(tasker.explain_kept(v_task, v_step_no), '')
    || coalesce(tasker.explain_branch(v_task, v_step_no), '')
    || coalesce(tasker.explain_start_within(v_task, v_step_no), '')
    || coalesce(tasker.explain_undo(v_task, v_step_no), '')
    || coalesce(case when v_step.current_state not in ('complete', 'resolved_manually', 'cancelled', 'in_progress') then tasker.explain_hold(v_task) end, '');
  return next v_step;
end;
$$;

comment on function tasker.explain_step is
$$Explains why a step is not running. Returns one row with the reason in words and as data: the parents that the step
waits for, the time until which it waits, the caller that has paused its namespace, handler or task, the failure that
blocks it, the limit that has no place for it, and the role that moved it last.

The cost is linear in the number of edges above the step. Raises TK404 if the step does not exist, and TK403 if the
caller is bound to other namespaces.$$;

grant execute on function tasker.explain_step
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001000', 'data/template_fields 8101f57e85f7e16c
functions/compat/readiness/calculate_step_next_retry_time 66a24e03a7920adf
functions/compat/readiness/check_step_dependencies 760eb150d6b2e961
functions/compat/readiness/evaluate_step_state_readiness 05679e4d35241a96
functions/compat/readiness/get_ready_steps 9e2ddbdba3580805
functions/compat/readiness/get_step_readiness_status 6bf26f5542e20efe
functions/compat/readiness/get_step_readiness_status_batch eca5672d27742de1
functions/compat/readiness/set_step_backoff_atomic af2e1594abd66c3e
functions/doors/moves/private/outcome_met 6111a8503402526e
functions/doors/registration/private/check_transport 19fd3ee0cf008621
functions/doors/registration/private/graph_problems ba9a0a4404e22523
functions/doors/registration/private/normal_fields 248911a786fb9f01
functions/doors/registration/private/normal_step ba9b5d0021bb3945
functions/doors/registration/private/register_steps 5f173dee54649cbe
functions/doors/registration/private/root_effects 520dfc7aaf983b5f
functions/doors/registration/private/step_effects 547e7969dbb840a8
functions/doors/registration/private/step_problems 90a42b0842d1c8a6
functions/doors/registration/private/template_field_problems 4ff649b679ef3642
functions/doors/registration/private/version_registered 8805ebe308ce2a9b
functions/doors/results/private/admit_value b2f9b6b64b522975
functions/doors/results/private/composed_result ae4aa3186a848ed9
functions/features/attributes/private/attribute_declaration_problems 9f8ac51f407064f4
functions/features/attributes/private/attribute_problems_of 600f38121bcf24f0
functions/features/attributes/private/declare_attributes 25c5a90bc22d2204
functions/features/attributes/private/normal_attributes f1346ba1e701e771
functions/features/branches/private/branch_problems 02d0ec2b1bb4d630
functions/features/branches/private/outcome_holds bfc28eedd288f664
functions/features/branches/private/settled_by 1de13dcf86ab589b
functions/features/branches/private/step_failed 305623151dc79657
functions/features/children/private/child_problems b85886c46a2397b2
functions/features/children/private/explain_child 0dd806e02b83ef80
functions/features/children/private/normalize_child 5a73046552019e40
functions/features/inputs/private/input_schema_problems 9554d97f4f377936
functions/features/limits/private/check_limit_count 9ffa137cce13cf76
functions/features/limits/private/explain_limit 5173926706510d70
functions/features/limits/private/insert_limits 5000d68cf03a43fc
functions/features/limits/private/key_limit 1965db701f81eae0
functions/features/limits/private/limit_problems f9469e898c7924b5
functions/features/limits/private/limits_of 86ad2a163643b82f
functions/features/limits/private/names_limit e77154931f8a4622
functions/features/limits/private/next_limit_start 2cb2843371fff1fa
functions/features/limits/private/normalize_limits 09d9c4469edccded
functions/features/limits/private/note_limit_places 12bfa4bf4cb6d655
functions/features/maps/private/explain_map b77eb25287a52b3e
functions/features/maps/private/map_problems aa187e43fd85046c
functions/features/maps/private/map_results ea131b5dab27d066
functions/features/maps/private/normalize_map 5a7cd6afffb63f6d
functions/features/publishing/private/published_lane 6fc1f0f4fe7128d8
functions/features/runs/private/normalize_runs 17c2ee718ce526fd
functions/features/runs/private/run_problems 81c7815db5fb7e33
functions/features/sealing/private/check_sealed_contexts c127d6f720d94ba3
functions/features/sealing/private/check_sealed_signal 915e10bd8d44d30c
functions/features/sealing/private/check_sealed_value 134c7a50bf1d708d
functions/features/sealing/private/clear_path 88a285f5a11682ea
functions/features/sealing/private/encryption_problems bb0d78e7b9c17bc0
functions/features/sealing/private/encryption_step_problems e19cf579cce82fc9
functions/features/sealing/private/is_sealed b482ed10ca7a9e4a
functions/features/sealing/private/is_sealed_error 701d4b4a968bd072
functions/features/sealing/private/mark_sealed 909b22a6be6b080b
functions/features/sealing/private/mark_sealed_additions 8a81d22f1061c8a8
functions/features/sealing/private/normal_encryption 78cb7a72fe59c905
functions/features/sealing/private/refuse_plain d4215cf029fe7c12
functions/features/sealing/private/taken_over ebeceee982509955
functions/features/sqlsteps/private/normalize_sql 0ec8175bc0e88413
functions/features/sqlsteps/private/sql_problems 6ed3541778d8b61d
functions/features/triggers/private/event_trigger_problems eb97b9ddb7be8013
functions/features/triggers/private/insert_triggers b05e9d4c49094424
functions/features/triggers/private/normalize_triggers 0b9649d1004169cb
functions/features/waits/private/await_problems 4f5237d9f80f84af
functions/features/waits/private/explain_wait 9ba43531fad5c1f6
functions/features/waits/private/normalize_await b07c1b94b8133c91
functions/kernel/claim/private/unpublish_steps 4eccac4a5ff36584
functions/kernel/create/register_namespace a8ec8d82fe5252a5
functions/kernel/create/register_task_template 89a18d6475e35f20
functions/kernel/graph/private/edge_result 9d8c870d3089062b
functions/kernel/graph/private/graph_cycle a65e69236a2df8e9
functions/kernel/graph/private/graph_distances d7665409d2143af9
functions/kernel/graph/private/graph_levels 9155eed49b201bb9
functions/kernel/graph/private/is_child_reference 661317ebf1fb14cf
functions/kernel/graph/private/schema_problem 206c02211ee10709
functions/kernel/graph/private/step_ancestors 4fcddcb0529b05f9
functions/kernel/graph/private/step_children 2c18317cdb26ac02
functions/kernel/graph/private/step_parents 4620c8b5c95ff323
functions/kernel/graph/private/task_levels 0350239a4c5ad78a
functions/kernel/lock/private/check_step_exists b1e17947a4ad94ea
functions/kernel/lock/private/check_task_exists 13cba23908c2b5bd
functions/kernel/move/private/backoff_seconds 6dcc51546b14c293
functions/kernel/move/private/effects_of_move c9aef18496e605e6
functions/kernel/move/private/task_halts b79bbc986b910d82
functions/kernel/state/private/table_lane 539ef3548dc76088
functions/kernel/suspend/private/await_of e40f2802f8692264
functions/kernel/template/get_task_template ec20e409b3e9fd4a
functions/kernel/template/list_task_templates e1212d8e4251dc7e
functions/kernel/template/private/brokered_namespaces 6fd466cec8cc4c4c
functions/kernel/template/private/check_same_template cf76cf99cb931557
functions/kernel/template/private/check_task_template daae3ceb317f05ec
functions/kernel/template/private/for_each_of 01eb2622f4355e79
functions/kernel/template/private/handler_of e947e080b0b9e467
functions/kernel/template/private/insert_handlers 3ad8111b585e00b9
functions/kernel/template/private/insert_template_steps f0eb485b333b078a
functions/kernel/template/private/limit_key_in 0e3da790f0031aa1
functions/kernel/template/private/limit_key_of 7f0862f21307a39c
functions/kernel/template/private/limit_needs_of 302c897a663fadf8
functions/kernel/template/private/nearest_name f4b58835761901f2
functions/kernel/template/private/normalize_retry a7a3d0a9c2a2d352
functions/kernel/template/private/normalize_template a9a24c3a0f99bdb0
functions/kernel/template/private/note_template_types 2c2b544d59253c30
functions/kernel/template/private/raise_template_not_found 1abbe9cab07c390b
functions/kernel/template/private/start_cycle 0a5c899de120c478
functions/kernel/template/private/step_places fbe138d8e59ffa73
functions/kernel/template/private/template_cycle_problems 519e27c46f4cdd42
functions/kernel/template/private/template_dependency_problems 63f72aa1ddff7232
functions/kernel/template/private/template_differences 6fd352e11b3ce6ea
functions/kernel/template/private/template_reference_problems 5eae18fa8734fbe0
functions/kernel/template/private/template_shape_problems 53709cdaf32a9382
functions/kernel/template/private/template_step_numbers 54fb915e86f6fd37
functions/kernel/template/private/template_step_problems 90e50cd110764869
functions/kernel/template/private/template_value_problem 5685dbdef8bd47e8
functions/kernel/template/private/type_difference a986ad139eeeb3f0
functions/kernel/template/private/type_differences 232191eefbccea03
functions/kernel/template/retire_task_template 851b9fbf818a200f
functions/kernel/template/validate_task_template 5bc24ab660b60a8e
functions/kernel/time/private/instant_of 33f19258706aad94
functions/kernel/time/private/wait_seconds 1ef208da424d6a9f
functions/operate/explain/explain_step 30c3771033d255a7
functions/operate/explain/private/blocking_reason da3871a57e1b576a
functions/operate/explain/private/describe_failures_above 7c1e7d22e329ce56
functions/operate/explain/private/describe_parents c8879ee15ea7926e
functions/operate/explain/private/explain_blocking 936334521a8d5236
functions/operate/explain/private/explain_pause f8224f025bcf2d92
functions/operate/explain/private/explain_state be5870ed0fb9c75c
functions/operate/explain/private/explained_step 6087e5864a40e190
functions/operate/explain/private/may_be_tried 31425af32d12d41c
functions/operate/explain/private/step_readiness 6be0782672653ede
functions/operate/explain/private/task_blocking_reason 9c84bb51e9f53579
functions/operate/inspect/calculate_dependency_levels 415cac546a36004a
functions/operate/inspect/calculate_step_depth b7e7d05051b503b8
functions/operate/inspect/get_step_dag_relationships 87e5d0c2cb3b720e
functions/operate/inspect/get_step_transitive_dependencies 6f6cf8e4d320e2dc
rows/compat/readiness/step_readiness_status fecf25d402038c11
rows/kernel/create/template_registrations a400ce2edfcd65cb
rows/kernel/template/task_template_summaries 7433bcb392c282cd
rows/kernel/template/task_templates a0c9e039ebb57013
rows/kernel/template/template_problems 021fff9344bd62e6
rows/operate/explain/step_explanations 7674c65b3e82bd13
rows/operate/inspect/dependency_levels ade0d1b878933cd0
rows/operate/inspect/step_dag_nodes 6ec17ea1990803ac
rows/operate/inspect/step_transitive_dependencies f8eaeb779d2e0246
tables/kernel/template/template_fields a7fbb79022f3a896
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001000';

drop function tasker.explain_step;
drop function tasker.explain_state;
drop function tasker.describe_failures_above;
drop function tasker.describe_parents;
drop function tasker.explained_step;
drop function tasker.explain_map;
drop function tasker.explain_pause;
drop function tasker.explain_limit;
drop function tasker.next_limit_start;
drop function tasker.key_limit;
drop function tasker.explain_child;
drop function tasker.explain_wait;
drop function tasker.explain_blocking;
drop function tasker.set_step_backoff_atomic;
drop function tasker.calculate_step_next_retry_time;
drop function tasker.evaluate_step_state_readiness;
drop function tasker.check_step_dependencies;
drop function tasker.get_ready_steps;
drop function tasker.get_step_readiness_status_batch;
drop function tasker.get_step_readiness_status;
drop function tasker.step_readiness;
drop function tasker.outcome_met;
drop function tasker.outcome_holds;
drop function tasker.step_failed;
drop function tasker.settled_by;
drop function tasker.backoff_seconds;
drop function tasker.edge_result;
drop function tasker.admit_value;
drop function tasker.composed_result;
drop function tasker.map_results;
drop function tasker.step_parents;
drop function tasker.step_children;
drop function tasker.task_blocking_reason;
drop function tasker.task_halts;
drop function tasker.blocking_reason;
drop function tasker.may_be_tried;
drop view tasker.step_explanations;
drop view tasker.step_readiness_status;
drop function tasker.get_step_dag_relationships;
drop function tasker.get_step_transitive_dependencies;
drop function tasker.calculate_step_depth;
drop function tasker.calculate_dependency_levels;
drop function tasker.step_ancestors;
drop function tasker.task_levels;
drop function tasker.check_step_exists;
drop function tasker.check_task_exists;
drop view tasker.step_dag_nodes;
drop view tasker.step_transitive_dependencies;
drop view tasker.dependency_levels;
drop function tasker.retire_task_template;
drop function tasker.list_task_templates;
drop function tasker.get_task_template;
drop function tasker.register_task_template;
drop function tasker.start_cycle;
drop function tasker.register_namespace;
drop function tasker.check_transport;
drop function tasker.unpublish_steps;
drop function tasker.brokered_namespaces;
drop function tasker.table_lane;
drop function tasker.published_lane;
drop function tasker.insert_template_steps;
drop function tasker.template_step_numbers;
drop function tasker.limit_key_in;
drop function tasker.limit_key_of;
drop function tasker.register_steps;
drop function tasker.insert_limits;
drop function tasker.note_limit_places;
drop function tasker.names_limit;
drop function tasker.limits_of;
drop function tasker.check_limit_count;
drop function tasker.insert_handlers;
drop function tasker.raise_template_not_found;
drop function tasker.note_template_types;
drop function tasker.type_differences;
drop function tasker.type_difference;
drop function tasker.check_same_template;
drop function tasker.template_differences;
drop function tasker.normalize_template;
drop function tasker.handler_of;
drop function tasker.for_each_of;
drop function tasker.await_of;
drop function tasker.normal_step;
drop function tasker.normalize_sql;
drop function tasker.normalize_map;
drop function tasker.normalize_child;
drop function tasker.normalize_retry;
drop function tasker.normalize_await;
drop function tasker.check_task_template;
drop function tasker.validate_task_template;
drop function tasker.template_cycle_problems;
drop function tasker.template_reference_problems;
drop function tasker.graph_problems;
drop function tasker.branch_problems;
drop function tasker.template_dependency_problems;
drop function tasker.template_step_problems;
drop function tasker.step_places;
drop function tasker.map_problems;
drop function tasker.child_problems;
drop function tasker.is_child_reference;
drop function tasker.await_problems;
drop function tasker.step_problems;
drop function tasker.root_effects;
drop function tasker.effects_of_move;
drop function tasker.step_effects;
drop function tasker.sql_problems;
drop function tasker.limit_needs_of;
drop function tasker.normalize_limits;
drop function tasker.limit_problems;
drop function tasker.template_shape_problems;
drop function tasker.template_value_problem;
drop function tasker.version_registered;
drop function tasker.normal_fields;
drop function tasker.template_field_problems;
drop function tasker.mark_sealed_additions;
drop function tasker.mark_sealed;
drop function tasker.check_sealed_signal;
drop function tasker.check_sealed_value;
drop function tasker.taken_over;
drop function tasker.refuse_plain;
drop function tasker.check_sealed_contexts;
drop function tasker.encryption_problems;
drop function tasker.encryption_step_problems;
drop function tasker.normal_encryption;
drop function tasker.clear_path;
drop function tasker.is_sealed_error;
drop function tasker.is_sealed;
drop function tasker.declare_attributes;
drop function tasker.normal_attributes;
drop function tasker.attribute_declaration_problems;
drop function tasker.attribute_problems_of;
drop function tasker.normalize_runs;
drop function tasker.run_problems;
drop function tasker.insert_triggers;
drop function tasker.event_trigger_problems;
drop function tasker.normalize_triggers;
drop function tasker.input_schema_problems;
drop function tasker.schema_problem;
drop function tasker.instant_of;
drop function tasker.wait_seconds;
drop function tasker.graph_distances;
drop function tasker.graph_cycle;
drop function tasker.graph_levels;
drop function tasker.nearest_name;
drop view tasker.task_template_summaries;
drop view tasker.task_templates;
drop view tasker.template_registrations;
drop view tasker.template_problems;
delete from tasker.template_fields;
drop table tasker.template_fields;

reset role;
