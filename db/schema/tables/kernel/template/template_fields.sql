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
