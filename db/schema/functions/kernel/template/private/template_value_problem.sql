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
