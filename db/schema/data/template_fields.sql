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
  ('template',   6, 'on_failure',        'string',  false, null, null,     false, null, '{continue,halt,fail}', 'After a step has failed for good: continue with steps that do not depend on it (the default), start no more steps, or continue and fail the task once nothing else can move.'),
  ('template',   7, 'lifecycle',         'object',  false, null, null,     false, null, null, 'When a task is stale; settings by default.'),
  ('template',   8, 'steps',             'array',   true,  0,    65535,    false, null, null, 'The steps. In a new version steps keep the numbers of those of the same name; new ones are numbered in this order.'),
  ('template',   9, 'types',             'object',  false, null, null,     false, null, null, 'What the program that registers it takes for the types of the context (as $context) and of the steps'' results, as texts. They are no part of its content; two that differ under one version are refused.'),
  ('template',  10, 'input_schema',      'object',  false, null, null,     false, null, null, 'The JSON Schema that the context of each new task must fit: type, properties, required, enum, minimum, maximum, maxLength and items are checked; title, description, default, format and examples are notes.'),

  ('lifecycle',  1, 'max_waiting_for_dependencies_minutes', 'number', false, 1, 5256000, true, null, null, 'Minutes without progress in waiting_for_dependencies.'),
  ('lifecycle',  2, 'max_waiting_for_retry_minutes',        'number', false, 1, 5256000, true, null, null, 'Minutes without progress in waiting_for_retry.'),
  ('lifecycle',  3, 'max_steps_in_process_minutes',         'number', false, 1, 5256000, true, null, null, 'Minutes without progress in steps_in_process.'),

  ('step',       1, 'name',              'string',  true,  null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$', null, 'A letter or digit, then at most 127 of these, underscores, dots, colons and hyphens. Unique in the template.'),
  ('step',       2, 'description',       'string',  false, 0,    10000,    false, null, null, 'For people.'),
  ('step',       3, 'handler',           'string',  false, null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.:+-]{0,239}$', null, 'The name of the handler that runs it, as workers register it: a letter or digit, then at most 239 of these, underscores, dots, colons, plus signs and hyphens; the step''s name by default.'),
  ('step',       4, 'dependencies',      'array',   false, 0,    65535,    false, null, null, 'The steps that it waits for: a name, or {"step": name, "when": condition}.'),
  ('step',       5, 'join',              'string',  false, null, null,     false, null, '{all,any,settled}', 'When it runs once they have settled: all dependencies satisfied (the default), any of them, or with any outcome.'),
  ('step',       6, 'retry',             'object',  false, null, null,     false, null, null, 'What happens when it fails.'),
  ('step',       7, 'timeout_seconds',   'number',  false, 1,    31536000, true,  null, null, 'How long one attempt may take.'),
  ('step',       8, 'priority',          'number',  false, -1000000, 1000000, true, null, null, 'Above 0 the fast lane, below 0 the slow one; 0 by default.'),
  ('step',       9, 'initialization',    'object',  false, null, null,     false, null, null, 'The inputs of its handler.'),
  ('step',      10, 'await',             'alternatives', false, 1, 100,    false, null, null, 'What it waits for instead of running a handler: {"signal": name}, {"event": name, "key": key}, {"for": duration}, {"until": time}, or a list of these, of which the first wins.'),
  ('step',      11, 'timeout',           'duration', false, null, null,    false, null, null, 'How long it waits at most: seconds, or a text such as 90s, 30m, 12h, 3d (of 86,400 seconds each) or 2w.'),
  ('step',      12, 'on_timeout',        'string',  false, null, null,     false, null, '{fail,skip,complete}', 'What becomes of it when its timeout ends the wait: it fails (the default), is skipped, or is complete with {"by": "timeout"}.'),
  ('step',      13, 'assignee',          'string',  false, 1,    200,      false, null, null, 'Who is to answer. The name of a database role is enforced: its members may.'),
  ('step',      14, 'task',              'object',  false, null, null,     false, null, null, 'The task that it starts and waits for, instead of running a handler.'),
  ('step',      15, 'for_each',          'elements', false, null, null,    false, null, null, 'The array that a map runs over: a jsonpath of the context such as $.lines, or {"step": name, "path": jsonpath} for the result of a dependency. The handler runs for each element.'),
  ('step',      16, 'max_parallel',      'number',  false, 1,    65535,    true,  null, null, 'How many instances of a map may be started and not settled at a time; all by default.'),
  ('step',      17, 'allow_failures',    'number',  false, 0,    65535,    true,  null, null, 'How many elements of a map may fail for good. Beyond that the map fails; by default a failed instance waits for an operator like any step.'),
  ('step',      18, 'compensate',        'string',  false, null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.:+-]{0,239}$', null, 'The name of the handler that undoes it if the task fails or is cancelled after it was done or begun.'),
  ('step',      21, 'limit',             'string',  false, null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$', null, 'The limit of the namespace that it waits for: a letter or digit, then at most 127 of these, underscores, dots, colons and hyphens. Created without bounds if it is new.'),
  ('step',      22, 'limit_key',         'string',  false, 1,    1000,     false, null, null, 'A jsonpath of the task''s context, such as $.customer, or of its inputs, such as $inputs.region: steps with other values have limits of their own.'),
  ('step',      23, 'sql',               'string',  false, null, null,     false, '^[a-z_][a-z0-9_]{0,62}\.[a-z_][a-z0-9_]{0,62}$', null, 'The function of the database that runs it, with its schema, such as shop.book_order: it takes one jsonb and returns the result. No worker is needed.'),

  ('task',       1, 'namespace',         'string',  false, null, null,     false, '^[a-z][a-z0-9_]{0,28}$', null, 'The namespace of the task''s template; that of this template by default.'),
  ('task',       2, 'name',              'string',  true,  null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$', null, 'The name of the task''s template.'),
  ('task',       3, 'version',           'string',  false, null, null,     false, '^[a-zA-Z0-9][a-zA-Z0-9_.+-]{0,15}$', null, 'Its version; by default the newest when the task is started that is not retired.'),
  ('task',       4, 'context',           'object',  false, null, null,     false, null, null, 'What the task gets: fields with values, paths of this task''s context such as "$.order.id", or results of a dependency, such as {"step": "pick", "path": "$.lines"}; {"value": …} is never a path. Or only {"step": name}: that result as a whole. The context of this task by default.'),
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

  ('dependency', 1, 'step',              'string',  true,  null, null,     false, null, null, 'The name of a step of this template.'),
  ('dependency', 2, 'when',              'string',  false, 1,    4000,     false, null, null, 'A jsonpath predicate on that step''s results; any success by default.');
