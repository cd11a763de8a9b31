-- Settings that the server's descriptions of objects depend on.
select
  set_config('search_path', 'pg_catalog', true),
  set_config('timezone', 'UTC', true),
  set_config('datestyle', 'ISO, YMD', true),
  set_config('intervalstyle', 'postgres', true),
  set_config('quote_all_identifiers', 'off', true),
  set_config('extra_float_digits', '1', true)
